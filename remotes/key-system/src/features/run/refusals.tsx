import { COMMUNITY_LINKS } from '@app/contracts/brand';
import type { ErrorCode } from '@app/contracts/errors';
import type { RunState } from '@app/contracts/key-system-schemas';
import { MAX_LIMIT_MS, STEP_NOTICES } from '@app/contracts/step-notices';
import { Countdown } from '@app/design-system/countdown';
import { Notice } from '@app/design-system/notice';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import css from './refusals.module.css';

const [CHAT] = COMMUNITY_LINKS;

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
  strikes?: number | undefined;
  /** Whether the page says already what strikes lead to. */
  isLadderSaid?: boolean;
  wait?: ReactNode;
}

/** Explains a refusal: what happened, what to do next, and whether it counts towards a cooldown. */
export function RefusalNotice({ refusal, strikes = 0, isLadderSaid = false, wait }: RefusalNoticeProps) {
  const { code, what, next, isStrike } = refusal;
  // KS_STEP changes nothing about the run, and KS_LIMIT says it itself.
  const isSilent = code === 'KS_STEP' || code === 'KS_LIMIT';
  const counts = isStrike ? t('refusal.strikes', { strikes }) : isSilent ? undefined : t('refusal.noStrike');

  return (
    <Notice kind={isStrike ? 'warning' : 'info'} title={what} holdsToasts>
      <span className={css.line}>{next}</span>
      {counts && (
        <span className={css.line}>
          <span>{counts}</span> {isStrike && !isLadderSaid && <span>{t('refusal.ladder')}</span>}
        </span>
      )}
      {wait}
    </Notice>
  );
}

export interface CooldownNoticeProps {
  cooldown: NonNullable<RunState['cooldown']>;
  serverOffsetMs: number;
  onEnd: () => void;
  /** Whether the action below has the countdown or, for a blocked device, the link to the chat. */
  isBrief?: boolean;
}

/** Says why and how long a visitor has to wait. For a blocked device it also links to the community chat. */
export function CooldownNotice({ cooldown, serverOffsetMs, onEnd, isBrief = false }: CooldownNoticeProps) {
  const { reason, until } = cooldown;
  const isBlocked = reason === 'KS_BLOCKED';

  return (
    <Notice kind="warning" title={t(`refusal.${reason}.what`)} holdsToasts>
      <span className={css.line}>{until === null ? t('cooldown.noEnd') : t(`refusal.${reason}.next`)}</span>
      {isBlocked && !isBrief && <AskInChat className={css.link} />}
      {until !== null && (isBlocked || !isBrief) && (
        <span className={css.until}>
          <span>{t('cooldown.until')}</span> <Countdown endsAt={until} serverOffsetMs={serverOffsetMs} onEnd={onEnd} />
        </span>
      )}
    </Notice>
  );
}

export function AskInChat({ className }: { className?: string | undefined }) {
  return (
    <a className={className} href={CHAT.href} rel="noreferrer" target="_blank">
      {t('cooldown.ask')}
    </a>
  );
}
