import { parseErrorCode, type ErrorCode } from '@app/contracts/errors';
import { t } from '../../words.ts';

/** How often a refusal counts towards a pause, for those that can be read by a player. */
const COUNTS = {
  KS_HWID: 0,
  KS_ZONE: 0,
  KS_CAPTCHA: 0,
  KS_LIMIT: 0,
  KS_STEP: 0,
  KS_EXPIRED: 0,
  KS_PROVIDER_DOWN: 0,
  KS_TICKET: 0,
  KS_UNFINISHED: 0,
  KS_FAST: 1,
  KS_PROOF: 1,
  KS_REUSE: 2,
  KS_COOLDOWN: 0,
  KS_BLOCKED: 0,
} as const satisfies Partial<Record<ErrorCode, number>>;

export type RefusalCode = keyof typeof COUNTS;

/** What a player is told of a refusal. */
export interface Refusal {
  code: RefusalCode;
  /** What happened. */
  what: string;
  /** What to do next. */
  next: string;
  /** Whether it counts, and how often; nothing where it goes without saying. */
  counts: string | undefined;
  isCounted: boolean;
  /** When one can go on, in epoch milliseconds; undefined where there is nothing to wait for. */
  until: number | undefined;
}

/**
 * Reads the code that an address carries; words and codes that are none of a player's give undefined.
 * @param until the moment that the address carries beside it, as an ISO time
 */
export function refusalOf(word: string | null, until: string | null): Refusal | undefined {
  const code = parseErrorCode(word);
  if (!code || !isRefusal(code)) return undefined;

  return {
    code,
    what: t(`refusal.${code}.what`),
    next: t(`refusal.${code}.next`),
    counts: countsOf(code),
    isCounted: COUNTS[code] > 0,
    until: momentIn(until),
  };
}

function momentIn(text: string | null): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}

function isRefusal(code: ErrorCode): code is RefusalCode {
  return code in COUNTS;
}

function countsOf(code: RefusalCode): string | undefined {
  // The run stands where it stood, or the refusal is itself what the counting led to: there is nothing to count.
  if (code === 'KS_STEP' || code === 'KS_COOLDOWN' || code === 'KS_BLOCKED') return undefined;

  return t(`refusal.counts.${COUNTS[code]}`);
}
