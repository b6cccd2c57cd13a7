import '@app/design-system/tokens.css';
import '@app/design-system/base.css';
import '@app/brand-ui/colours.css';
import { provideSiteSettings, Router } from '@app/platform';
import { SITE_SETTINGS } from '@app/testing/site-settings';
import type { ComponentType } from 'react';
import { StaticRouter } from 'react-router-dom';
import { PageFrame } from '../../../../shell/src/app/page-frame.tsx';

provideSiteSettings(SITE_SETTINGS);
// Tells the measurement that the code runs, as the shell does.
if (typeof window !== 'undefined') Object.assign(globalThis, { chunkElementCreated: undefined });

interface AppProps {
  Component: ComponentType;
  /** Next's own router. The links of the pages use ours. */
  router: { pathname: string };
}

/** Shows a page in the shell's frame: the navbar above it, the footer below. */
export default function App({ Component, router }: AppProps) {
  const framed = (
    <PageFrame labelOf={() => undefined}>
      <Component />
    </PageFrame>
  );
  return typeof window === 'undefined' ? (
    <StaticRouter location={router.pathname}>{framed}</StaticRouter>
  ) : (
    <Router>{framed}</Router>
  );
}
