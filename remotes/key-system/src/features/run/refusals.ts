import type { ErrorCode } from '@app/contracts/errors';
import { t } from '../../words.ts';

/** How many strikes a refusal counts towards a cooldown. The table has the codes that players can see. */
const COUNTS = {
  KS_APP: 0,
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

/** A refusal, as the page explains it to a player. */
export interface Refusal {
  code: RefusalCode;
  /** What happened. */
  what: string;
  /** What to do next. */
  next: string;
  /** A sentence that says how many strikes it counts; undefined when this needs no words. */
  counts: string | undefined;
  isCounted: boolean;
  /**
   * When the player can go on, in epoch milliseconds by the server's clock; undefined when there is no need to wait.
   */
  until: number | undefined;
}

/**
 * Reads the refusal in an address. Undefined unless the code is one that players can see.
 * @param word the code, the parameter `e` or `r`
 * @param until the parameter `until`, an ISO 8601 time
 */
export function refusalOf(word: string | null, until: string | null): Refusal | undefined {
  if (!isRefusal(word)) return undefined;

  const code = word;
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

function isRefusal(word: string | null): word is RefusalCode {
  return word !== null && Object.hasOwn(COUNTS, word);
}

function countsOf(code: RefusalCode): string | undefined {
  // KS_STEP changes nothing about the run, KS_LIMIT says it itself, and the other two are the cooldown. None counts.
  if (code === 'KS_STEP' || code === 'KS_LIMIT' || code === 'KS_COOLDOWN' || code === 'KS_BLOCKED') return undefined;

  return t(`refusal.counts.${COUNTS[code]}`);
}
