import { PRODUCT } from '@app/contracts/brand';

/** Path to page. The build writes this table into release.json, the server routes by it. */
export const routes = {
  '/': 'v5-page',
  '/index': 'v5-page',
  '/v5': 'v5-page',
  '/neo': 'neo-page',
  [`/${PRODUCT.slug}v3`]: 'v3-page',
  '/plans': 'plans-page',
  '/resellers': 'resellers-page',
  '/successV5': 'success-v5-page',
  '/errorV5': 'error-v5-page',
  '/success-basic': 'plan-active-page',
  '/success-plus': 'plan-active-page',
  '/success-premium': 'plan-active-page',
  '/payment-failed': 'payment-failed-page',
} as const;
