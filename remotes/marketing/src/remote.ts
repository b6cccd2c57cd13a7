import { pageNames } from '@app/contracts/pages';
import type { RemoteModule } from '@app/platform';
import { routes } from './routes.ts';

export default {
  routes: pageNames(routes),
  pages: {
    'v5-page': async () => (await import(/* webpackChunkName: "v5-page" */ './pages/v5-page.tsx')).loadV5Page(),
    'neo-page': async () => (await import(/* webpackChunkName: "neo-page" */ './pages/neo-page.tsx')).loadNeoPage(),
    'v3-page': async () => (await import(/* webpackChunkName: "v3-page" */ './pages/v3-page.tsx')).loadV3Page(),
    'plans-page': async () => (await import(/* webpackChunkName: "plans-page" */ './pages/plans-page.tsx')).PlansPage,
    'resellers-page': async () =>
      (await import(/* webpackChunkName: "resellers-page" */ './pages/resellers-page.tsx')).ResellersPage,
    'success-v5-page': async () =>
      (await import(/* webpackChunkName: "success-v5-page" */ './pages/success-v5-page.tsx')).SuccessV5Page,
    'error-v5-page': async () =>
      (await import(/* webpackChunkName: "error-v5-page" */ './pages/error-v5-page.tsx')).ErrorV5Page,
    'plan-active-page': async () =>
      (await import(/* webpackChunkName: "plan-active-page" */ './pages/plan-active-page.tsx')).PlanActivePage,
    'payment-failed-page': async () =>
      (await import(/* webpackChunkName: "payment-failed-page" */ './pages/payment-failed-page.tsx')).PaymentFailedPage,
    'redeem-page': async () =>
      (await import(/* webpackChunkName: "redeem-page" */ './pages/redeem-page.tsx')).RedeemPage,
    'reset-devices-page': async () =>
      (await import(/* webpackChunkName: "reset-devices-page" */ './pages/reset-devices-page.tsx')).ResetDevicesPage,
    'claim-plan-page': async () =>
      (await import(/* webpackChunkName: "claim-plan-page" */ './pages/claim-plan-page.tsx')).ClaimPlanPage,
  },
} satisfies RemoteModule;
