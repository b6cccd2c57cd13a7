import { COMMUNITY_LINKS } from '@app/contracts/brand';
import type { RunState } from '@app/contracts/key-system-schemas';
import { Countdown } from '@app/design-system/countdown';
import { Notice } from '@app/design-system/notice';
import { t } from '../../words.ts';
import css from './standing-notice.module.css';

const [CHAT] = COMMUNITY_LINKS;

interface StandingNoticeProps {
  standing: NonNullable<RunState['cooldown']>;
  serverOffsetMs?: number;
  /** Called when the wait is over. */
  onEnd?: () => void;
}

/** Why a visitor has to wait, and for how long; a device that was blocked without an end learns whom to ask. */
export function StandingNotice({ standing: { reason, until }, serverOffsetMs = 0, onEnd }: StandingNoticeProps) {
  const isBlocked = reason === 'KS_BLOCKED';

  return (
    <Notice kind="warning" title={t(`refusal.${reason}.what`)}>
      <span className={css.line}>{t(`refusal.${reason}.next`)}</span>
      {isBlocked && (
        <a className={css.link} href={CHAT.href} rel="noreferrer" target="_blank">
          {t('standing.ask')}
        </a>
      )}
      <span className={css.until}>
        {until === null ? (
          t('standing.noEnd')
        ) : (
          <>
            {t('standing.until')} <Countdown endsAt={until} serverOffsetMs={serverOffsetMs} {...(onEnd && { onEnd })} />
          </>
        )}
      </span>
    </Notice>
  );
}
