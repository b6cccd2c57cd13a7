import type { ErrorCode } from '@app/contracts/errors';
import { LONGEST_LIMIT_MS, TOLD_BY_ADDRESS } from '@app/contracts/told-by-address';
import { t } from '../../words.ts';

/** The codes that players can see, and whether one is a strike. */
const IS_STRIKE = {
  KS_APP: false,
  KS_HWID: false,
  KS_ZONE: false,
  KS_CAPTCHA: false,
  KS_LIMIT: false,
  KS_STEP: false,
  KS_EXPIRED: false,
  KS_PROVIDER_DOWN: false,
  KS_TICKET: false,
  KS_UNFINISHED: false,
  KS_FAST: true,
  KS_PROOF: true,
  KS_REUSE: true,
  KS_COOLDOWN: false,
  KS_BLOCKED: false,
} as const satisfies Partial<Record<ErrorCode, boolean>>;

export type RefusalCode = keyof typeof IS_STRIKE;

/** What the address may say of a link that named no device; then it names none either. */
const OF_A_LINK = ['KS_HWID', 'KS_ZONE'];

/** A refusal, as the page explains it to a player. */
export interface Refusal {
  code: RefusalCode;
  /** What happened. */
  what: string;
  /** What to do next. */
  next: string;
  isStrike: boolean;
  /** When the player can go on, in epoch milliseconds by the server's clock. */
  until?: number;
}

/** Explains a code. Undefined unless it is one that players can see. */
export function refusalOf(code: string | null): Refusal | undefined {
  if (!isRefusal(code)) return undefined;

  return {
    code,
    what: t(`refusal.${code}.what`),
    next: t(`refusal.${code}.next`),
    isStrike: IS_STRIKE[code],
  };
}

/** Explains what the address of a step says, in its parameters `e` and `until`. */
export function refusalIn(query: URLSearchParams): Refusal | undefined {
  const code = query.get('e') ?? '';
  const isOfTry = TOLD_BY_ADDRESS.some((told) => told === code);
  if (!isOfTry && (query.has('hwid') || !OF_A_LINK.includes(code))) return undefined;

  const refusal = refusalOf(code);
  const until = Date.parse(query.get('until') ?? '');
  return refusal?.code === 'KS_LIMIT' && until <= Date.now() + LONGEST_LIMIT_MS ? { ...refusal, until } : refusal;
}

function isRefusal(code: string | null): code is RefusalCode {
  return code !== null && Object.hasOwn(IS_STRIKE, code);
}
