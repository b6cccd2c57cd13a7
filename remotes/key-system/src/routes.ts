import { COMPANION } from '@app/contracts/brand';

const companion = `/${COMPANION.slug}`;

/** Path to page. The build writes this table into release.json, the server routes by it. */
export const routes = {
  '/key-system-1': 'step-page',
  '/key-system-2': 'step-page',
  '/key-system-3': 'step-page',
  '/key-system-4': 'step-page',
  '/key-system-5': 'step-page',
  '/key-system-6': 'step-page',
  '/key-system-getkey': 'getkey-page',
  '/key-system-bypass': 'bypass-page',
  [`${companion}/key-system-1`]: 'step-page',
  [`${companion}/key-system-2`]: 'step-page',
  [`${companion}/key-system-3`]: 'step-page',
  [`${companion}/key-system-getkey`]: 'getkey-page',
  [`${companion}/key-system-bypass`]: 'bypass-page',
  '/gate': 'gate-page',
  '/check-key': 'check-key-page',
} as const;
