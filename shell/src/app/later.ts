import type { Resolution } from '@app/contracts/resolution';
import { forgetPage, preloadPage } from '../federation/load-page.ts';
import { sampleVisit } from '../features/field-timings/sample-visit.ts';
import { onLinkInMind } from './on-link-in-mind.ts';

/** What a page does once it works. */
export function doLater(resolution: Resolution): void {
  onLinkInMind((pathname) => {
    preloadPage(resolution, pathname).catch(() => {
      // Going there asks anew.
      if (location.pathname !== pathname) forgetPage(pathname);
    });
  });
  sampleVisit(resolution);
}
