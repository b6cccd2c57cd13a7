import { lazyPage } from '@app/platform';
import type { ComponentType } from 'react';
// With the styles of the pages that it replaces, so that the first paint has them.
import '@app/brand-ui/phone-sketch.module.css';
import '../features/device/begin-picture.module.css';
import '../features/device/no-device.module.css';
import './begin-page.module.css';

/** The page for a visitor who has to begin in the app. It is code of its own, which a visitor from there never needs. */
export const beginPage = lazyPage(
  async () => (await import(/* webpackChunkName: "begin-page" */ './begin-page.tsx')).BeginPage,
);

/** Gets that page ready together with one that may show it in its place, so that both render at once. */
export async function withBegin(page: ComponentType): Promise<ComponentType> {
  const isNamed = typeof location === 'object' && new URLSearchParams(location.search).has('hwid');
  if (!isNamed)
    await beginPage.preload().catch((error: unknown) => {
      beginPage.retry();
      throw error;
    });
  return page;
}
