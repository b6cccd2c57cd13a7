import type { ErrorCode } from './errors.ts';

/**
 * What the address of a step may tell, in `e`: why the try that was made just now did not go on. Anyone can write an
 * address, so what a page says of a device comes from the server.
 */
export const STEP_NOTICES = [
  'KS_CAPTCHA',
  'KS_LIMIT',
  'KS_STEP',
  'KS_EXPIRED',
  'KS_PROVIDER_DOWN',
  'KS_UNFINISHED',
] as const satisfies ErrorCode[];

/** How far in the future the `until` of a limit may lie that an address tells: no limit of ours lasts longer. */
export const MAX_LIMIT_MS = 60 * 60_000;
