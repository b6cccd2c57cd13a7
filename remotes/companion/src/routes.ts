import { COMPANION } from '@app/contracts/brand';

/** Path to page. The build writes this table into release.json, the server routes by it. */
export const routes = {
  [`/${COMPANION.slug}`]: 'companion-page',
} as const;
