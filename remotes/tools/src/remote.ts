import { pageNames } from '@app/contracts/pages';
import type { RemoteModule } from '@app/platform';
import { routes } from './routes.ts';

export default {
  routes: pageNames(routes),
  pages: {
    'privacy-policy-page': async () =>
      (await import(/* webpackChunkName: "privacy-policy-page" */ './pages/privacy-policy-page.tsx')).PrivacyPolicyPage,
    'encrypter-page': async () =>
      (await import(/* webpackChunkName: "encrypter-page" */ './pages/encrypter-page.tsx')).EncrypterPage,
    'portfolio-page': async () =>
      (await import(/* webpackChunkName: "portfolio-page" */ './pages/portfolio-page.tsx')).PortfolioPage,
    'reset-success-page': async () =>
      (await import(/* webpackChunkName: "reset-success-page" */ './pages/reset-success-page.tsx')).ResetSuccessPage,
    'developers-page': async () =>
      (await import(/* webpackChunkName: "developers-page" */ './pages/developers-page.tsx')).DevelopersPage,
    'errors-page': async () =>
      (await import(/* webpackChunkName: "errors-page" */ './pages/errors-page.tsx')).ErrorsPage,
    'stats-page': async () => (await import(/* webpackChunkName: "stats-page" */ './pages/stats-page.tsx')).StatsPage,
    'status-page': async () =>
      (await import(/* webpackChunkName: "status-page" */ './pages/status-page.tsx')).StatusPage,
  },
} satisfies RemoteModule;
