import { COMPANION } from '@app/contracts/brand';
import { PAGES, type Routes } from '@app/contracts/pages';

/**
 * The pages of this unit. The build writes them into release.json; the server makes titles, tags and the sitemap of it.
 */
export const routes = {
  [PAGES.companion]: {
    page: 'companion-page',
    title: COMPANION.label,
    shareTitle: `${COMPANION.label}: up to 40% back`,
    description: 'Up to 40% back on marketplace purchases, free of charge. All your data stays on your device.',
    picture: 'companion',
    canonical: PAGES.companion,
    app: { name: COMPANION.label, operatingSystem: 'Android' },
  },
} satisfies Routes;
