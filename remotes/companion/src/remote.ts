import { pageNames } from '@app/contracts/pages';
import type { RemoteModule } from '@app/platform';
import { routes } from './routes.ts';

export default {
  routes: pageNames(routes),
  pages: {
    'companion-page': async () =>
      (await import(/* webpackChunkName: "companion-page" */ './pages/companion-page.tsx')).loadCompanionPage(),
  },
} satisfies RemoteModule;
