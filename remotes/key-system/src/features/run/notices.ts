import type { ErrorCode } from '@app/contracts/errors';
import { t } from '../../words.ts';

/** The codes that an address can carry for a player to read. */
const TOLD = [
  'KS_HWID',
  'KS_ZONE',
  'KS_CAPTCHA',
  'KS_LIMIT',
  'KS_STEP',
  'KS_EXPIRED',
  'KS_PROVIDER_DOWN',
  'KS_TICKET',
  'KS_PROOF',
  'KS_FAST',
  'KS_REUSE',
] as const satisfies readonly ErrorCode[];

/** Plain words for a code, or undefined where none are needed. */
export function noticeFor(code: ErrorCode | undefined): string | undefined {
  const told = TOLD.find((known) => known === code);
  return told && t(`notice.${told}`);
}
