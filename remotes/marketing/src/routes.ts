import { PRODUCT } from '@app/contracts/brand';
import { PAGES, type Routes } from '@app/contracts/pages';

const V5 = {
  page: 'v5-page',
  shareTitle: `${PRODUCT.label} V5`,
  description: 'The first executor with an AI assistant inside, for Android. Unlocked through official resellers.',
  picture: 'v5',
  canonical: PAGES.v5,
  app: { name: `${PRODUCT.label} V5`, operatingSystem: 'Android' },
} as const;

/** The pages after a payment, and of links in mails, are for one visitor, so search engines do not list them. */
const RESULT = {
  title: '',
  shareTitle: PRODUCT.label,
  description: `${PRODUCT.label}: V5, NEO and V3, from the team that makes them.`,
  picture: 'v5',
  canonical: null,
} as const;

/**
 * The pages of this unit. The build writes them into release.json; the server makes titles, tags and the sitemap of it.
 */
export const routes = {
  '/': { ...V5, title: '' },
  [PAGES.home]: { ...V5, title: PRODUCT.label },
  [PAGES.v5]: { ...V5, title: '' },
  [PAGES.neo]: {
    page: 'neo-page',
    title: '',
    shareTitle: `${PRODUCT.label} NEO`,
    description: 'The lightweight edition for Android and iOS, free of charge. A key opens it for 24 hours.',
    picture: 'neo',
    canonical: PAGES.neo,
    app: { name: `${PRODUCT.label} NEO`, operatingSystem: 'Android, iOS' },
  },
  [PAGES.v3]: {
    page: 'v3-page',
    title: PRODUCT.label,
    shareTitle: `${PRODUCT.label} V3`,
    description: 'The edition for Android that came before NEO and V5. Discontinued.',
    picture: 'v3',
    canonical: PAGES.v3,
    app: { name: `${PRODUCT.label} V3`, operatingSystem: 'Android' },
  },
  [PAGES.plans]: {
    page: 'plans-page',
    title: 'Upgrade plan',
    shareTitle: `${PRODUCT.label} plans: Basic, Plus, Premium`,
    description: 'Basic for 7 days, Plus for 30, Premium for 365. A plan skips the key system for as long as it runs.',
    picture: 'plans',
    canonical: PAGES.plans,
  },
  [PAGES.resellers]: {
    page: 'resellers-page',
    title: '',
    shareTitle: `Official resellers of ${PRODUCT.label} V5`,
    description: 'The shops that sell V5 with our approval.',
    picture: 'resellers',
    canonical: PAGES.resellers,
  },
  [PAGES.redeem]: {
    page: 'redeem-page',
    title: 'Redeem a code',
    shareTitle: `Redeem a code for ${PRODUCT.label}`,
    description: 'Turn the code of an official reseller into a plan for your device.',
    picture: 'plans',
    canonical: PAGES.redeem,
  },
  [PAGES.successV5]: { page: 'success-v5-page', ...RESULT },
  [PAGES.errorV5]: { page: 'error-v5-page', ...RESULT },
  '/success-basic': { page: 'plan-active-page', ...RESULT },
  '/success-plus': { page: 'plan-active-page', ...RESULT },
  '/success-premium': { page: 'plan-active-page', ...RESULT },
  [PAGES.paymentFailed]: { page: 'payment-failed-page', ...RESULT },
  [PAGES.resetDevices]: { page: 'reset-devices-page', ...RESULT, title: 'Reset devices' },
  [PAGES.claimPlan]: { page: 'claim-plan-page', ...RESULT, title: 'Add a device' },
} satisfies Routes;
