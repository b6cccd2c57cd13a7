import type { Resolution } from '@app/contracts/resolution';
import { sampleVisit } from '../features/field-timings/sample-visit.ts';
import { onLinkInMind } from './on-link-in-mind.ts';

/**
 * What a page does once it works.
 * @param preload fetches the page at a path. What is imported here from the first file would make that one larger
 */
export function doLater(resolution: Resolution, preload: (pathname: string) => void): void {
  onLinkInMind(preload);
  sampleVisit(resolution);
}
