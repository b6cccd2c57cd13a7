import '@app/design-system/tokens.css';
import '@app/design-system/base.css';
import '@app/design-system/elements.css';
import '@app/brand-ui/colours.css';
import { SHELL } from '@app/contracts/unit';
import type { SiteSettings } from '@app/contracts/site-settings';
import { afterFirstPaint, fetchJson, provideSiteSettings, Router } from '@app/platform';
import { keepResponse } from '@app/platform/preloaded-responses';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { unstable_forceFrameRate as forceFrameRate } from 'scheduler';
import { App } from './app/app.tsx';
import { UnitPage } from './app/unit-page.tsx';
import { watchChunkElement } from './federation/chunk-elements.ts';
import { loadTranslations, startFederation } from './federation/load-entry.ts';
import { forgetPage, preloadPage } from './federation/load-page.ts';
import { provideResolution } from './federation/releases.ts';
import { readResolution } from './federation/resolution.ts';
import { startQa } from './features/qa/start-qa.ts';

/** How long the first render waits for the page's code. After that, the frame renders without it. */
const PAGE_CODE_TIMEOUT_MS = 1000;

/** How often the browser may paint while a page hydrates: slices of 40 ms are no long task, and few. */
const HYDRATION_FPS = 25;

const root = document.getElementById('root');
if (!root) throw new Error('The document has no #root');

provideSiteSettings(readSettings());
const resolution = readResolution();
globalThis.chunkElementCreated = watchChunkElement;
provideResolution(resolution);
startFederation();
if (resolution.units[SHELL]?.fault === 'crashing') throw new Error('QA lets the shell crash.');

readPreloadedResponse();

const app = (
  <Router>
    <App resolution={resolution} unitPage={UnitPage} />
  </Router>
);
const isRendered = root.hasChildNodes();
const texts = loadTranslations({ unit: SHELL, ...resolution.units[SHELL] });
const page = preloadPage(resolution, location.pathname, isRendered).catch(() => undefined);
if (isRendered) {
  // The frame works at once, the page when its code is there. Until then its HTML stays. In a transition the work is done
  // in slices, so that a click is answered in between. After each the browser may paint, so slices of 5 ms, as React has
  // them, take a slow phone longer.
  forceFrameRate(HYDRATION_FPS);
  void afterFirstPaint().then(() => forceFrameRate(0));
  void texts.then(() =>
    startTransition(() => {
      hydrateRoot(root, app, {
        // React's own message does not say what was wrong.
        onRecoverableError: (error) => reportError(error instanceof Error && error.cause ? error.cause : error),
      });
    }),
  );
} else {
  // React keeps a Suspense fallback on the screen for at least 300 ms. To avoid it, the page's code loads before the
  // first render. When the code fails to load, the error boundary shows the failure.
  const waited = new Promise((resolve) => setTimeout(resolve, PAGE_CODE_TIMEOUT_MS));
  void Promise.all([texts, Promise.race([page, waited])]).then(() => createRoot(root).render(app));
}
// It comes with the toasts, once the page works.
void afterFirstPaint()
  .then(() => import(/* webpackChunkName: "toasts" */ './app/after-hydration.ts'))
  .then(({ afterHydration }) =>
    afterHydration(resolution, (pathname) => {
      preloadPage(resolution, pathname).catch(() => {
        // Going there asks anew.
        if (location.pathname !== pathname) forgetPage(pathname);
      });
    }),
  )
  .catch(() => undefined);
startQa(resolution);

/** The answer to the document's `Link` header is read at once, for the first render that knows the address. */
function readPreloadedResponse(): void {
  for (const { name, initiatorType } of performance.getEntriesByType('resource')) {
    if (initiatorType !== 'link' || !name.startsWith(`${location.origin}/api/`)) continue;

    const path = name.slice(location.origin.length);
    void afterFirstPaint().then(keepResponse(path, fetchJson(path)));
  }
}

/** The server wrote them by the same schema. @throws SyntaxError when they are missing */
function readSettings(): SiteSettings {
  return JSON.parse(document.getElementById('settings')?.textContent ?? '') as SiteSettings;
}
