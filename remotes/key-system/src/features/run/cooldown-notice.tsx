import { COMMUNITY_LINKS } from '@app/contracts/brand';
import type { RunState } from '@app/contracts/key-system-schemas';
import { Countdown } from '@app/design-system/countdown';
import { Notice } from '@app/design-system/notice';
import { t } from '../../words.ts';
import css from './cooldown-notice.module.css';

const [CHAT] = COMMUNITY_LINKS;

export interface CooldownNoticeProps {
  cooldown: NonNullable<RunState['cooldown']>;
  serverOffsetMs: number;
  /** Called when the wait is over. */
  onEnd: () => void;
  /** Whether the action below has the countdown or, for a blocked device, the link to the chat. */
  isBrief?: boolean;
}

/** Says why and how long a visitor has to wait. For a blocked device it also links to the community chat. */
export function CooldownNotice({
  cooldown: { reason, until },
  serverOffsetMs,
  onEnd,
  isBrief = false,
}: CooldownNoticeProps) {
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

/** The way to the community chat, for a device that was blocked. */
export function AskInChat({ className }: { className?: string | undefined }) {
  return (
    <a className={className} href={CHAT.href} rel="noreferrer" target="_blank">
      {t('cooldown.ask')}
    </a>
  );
}
