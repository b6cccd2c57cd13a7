import type { ErrorCode } from '@app/contracts/errors';
import { MAX_LIMIT_MS, STEP_NOTICES } from '@app/contracts/step-notices';
import { Notice } from '@app/design-system/notice';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import css from './refusals.module.css';

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
const LINK_REFUSAL_CODES = ['KS_HWID', 'KS_ZONE'];

export interface Refusal {
  code: RefusalCode;
  what: string;
  next: string;
  isStrike: boolean;
  /** When the player can go on, in epoch milliseconds by the server's clock. */
  until?: number;
}

/** Explains a code. Undefined unless it is one that players can see. */
export function refusalOf(code: string | null): Refusal | undefined {
  if (!isRefusal(code)) return undefined;
  return { code, what: t(`refusal.${code}.what`), next: t(`refusal.${code}.next`), isStrike: IS_STRIKE[code] };
}

/** Explains what the address of a step says, in its parameters `e` and `until`. */
export function refusalIn(query: URLSearchParams): Refusal | undefined {
  const code = query.get('e') ?? '';
  const isNotice = STEP_NOTICES.some((notice) => notice === code);
  if (!isNotice && (query.has('hwid') || !LINK_REFUSAL_CODES.includes(code))) return undefined;

  const refusal = refusalOf(code);
  const until = Date.parse(query.get('until') ?? '');
  return refusal?.code === 'KS_LIMIT' && until <= Date.now() + MAX_LIMIT_MS ? { ...refusal, until } : refusal;
}

function isRefusal(code: string | null): code is RefusalCode {
  return code !== null && Object.hasOwn(IS_STRIKE, code);
}

interface RefusalNoticeProps {
  refusal: Refusal;
  wait?: ReactNode;
}

/** Explains a refusal that is no strike: what happened, and what to do next. */
export function RefusalNotice({ refusal: { code, what, next }, wait }: RefusalNoticeProps) {
  // KS_STEP changes nothing about the run, KS_LIMIT says it itself, and a link without a device comes before any strike.
  const isSilent = ['KS_STEP', 'KS_LIMIT', ...LINK_REFUSAL_CODES].includes(code);

  return (
    <Notice title={what} holdsToasts>
      <span className={css.line}>{next}</span>
      {!isSilent && <span className={css.line}>{t('refusal.noStrike')}</span>}
      {wait}
    </Notice>
  );
}

/** Says why a visitor has to wait. The action below it says how long. */
export function TimeoutNotice() {
  return (
    <Notice kind="warning" title={t('refusal.KS_COOLDOWN.what')} holdsToasts>
      {t('refusal.KS_COOLDOWN.next')}
    </Notice>
  );
}
