import { pageNames } from '@app/contracts/pages';
import type { RemoteModule } from '@app/platform';
import { routes } from './routes.ts';

export default {
  routes: pageNames(routes),
  pages: {
    'step-page': async () => (await import(/* webpackChunkName: "step-page" */ './pages/step-page.tsx')).loadStepPage(),
    'getkey-page': async () =>
      (await import(/* webpackChunkName: "getkey-page" */ './pages/getkey-page.tsx')).loadGetkeyPage(),
    'bypass-page': async () =>
      (await import(/* webpackChunkName: "bypass-page" */ './pages/bypass-page.tsx')).loadBypassPage(),
    'gate-page': async () => (await import(/* webpackChunkName: "gate-page" */ './pages/gate-page.tsx')).loadGatePage(),
    'check-key-page': async () =>
      (await import(/* webpackChunkName: "check-key-page" */ './pages/check-key-page.tsx')).CheckKeyPage,
  },
} satisfies RemoteModule;
