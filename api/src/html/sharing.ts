import { COMPANION, PRODUCT } from '@app/contracts/brand';

/** What a page says of itself to those who share it and to those who look for it. */
interface Sharing {
  description: string;
  /** The product area's picture, 1200 × 630. */
  picture: 'v5' | 'neo' | 'v3' | 'plans' | 'companion' | 'key-system' | 'tools';
  /** The path under which search engines know the page; undefined for pages that none should list. */
  canonical?: string;
  /** An app that the page offers, for structured data. */
  app?: { name: string; operatingSystem: string };
}

const V5: Sharing = {
  description: 'The first executor with an AI assistant inside, for Android and iOS. Unlocked through official resellers.',
  picture: 'v5',
  canonical: '/',
  app: { name: `${PRODUCT.label} V5`, operatingSystem: 'Android, iOS' },
};

const KEY_RUN: Sharing = {
  description: 'Complete the steps, get a key for your device. It works for 24 hours.',
  picture: 'key-system',
};

/** Results and errors, the gate, and pages for those who build the site. */
const RESULT: Sharing = { description: `${PRODUCT.label}: V5, NEO and V3, from the team that makes them.`, picture: 'v5' };

const PORTFOLIO: Sharing = { description: 'The person behind the apps.', picture: 'tools', canonical: '/portfolio' };

const PAGES: Readonly<Record<string, Sharing>> = {
  '/': V5,
  '/index': V5,
  '/v5': V5,
  '/neo': {
    description: 'The lightweight edition for Android and iOS, free of charge. A key opens it for 24 hours.',
    picture: 'neo',
    canonical: '/neo',
    app: { name: `${PRODUCT.label} NEO`, operatingSystem: 'Android, iOS' },
  },
  [`/${PRODUCT.slug}v3`]: {
    description: 'The edition for Android that came before NEO and V5. Discontinued.',
    picture: 'v3',
    canonical: `/${PRODUCT.slug}v3`,
    app: { name: `${PRODUCT.label} V3`, operatingSystem: 'Android' },
  },
  '/plans': {
    description: 'Basic for 7 days, Plus for 30, Premium for 365. A plan skips the key system for as long as it runs.',
    picture: 'plans',
    canonical: '/plans',
  },
  '/resellers': { description: 'The shops that sell V5 with our approval.', picture: 'plans', canonical: '/resellers' },
  [`/${COMPANION.slug}`]: {
    description: 'Up to 40% back on marketplace purchases, free of charge. All your data stays on your device.',
    picture: 'companion',
    canonical: `/${COMPANION.slug}`,
    app: { name: COMPANION.label, operatingSystem: 'Android' },
  },
  '/encrypter': { description: 'Turns a script into text that only the app reads, in your browser.', picture: 'tools', canonical: '/encrypter' },
  '/check-key': {
    description: 'Whether a key works, found out in your browser as the app does it.',
    picture: 'key-system',
    canonical: '/check-key',
  },
  '/developers': {
    description: 'How an app gets a key from this site and checks it: every call, every code, and samples to copy.',
    picture: 'tools',
    canonical: '/developers',
  },
  '/errors': { description: 'Every error code of this site: what it means, and what to do about it.', picture: 'tools', canonical: '/errors' },
  '/privacy-policy': { description: 'What we collect, why, and for how long.', picture: 'tools', canonical: '/privacy-policy' },
  '/portfolio': PORTFOLIO,
  '/tiahh': PORTFOLIO,
};

/** What the page of a path says of itself. Runs, results and errors are for one visitor, so nobody lists them. */
export function sharingOf(path: string): Sharing {
  return PAGES[path] ?? (path.includes('key-system') ? KEY_RUN : RESULT);
}

/** The paths that search engines are asked to know. */
export function listCanonicalPaths(): string[] {
  return [...new Set(Object.values(PAGES).flatMap(({ canonical }) => canonical ?? []))];
}
