import { Countdown } from '@app/design-system/countdown';
import { useMemo, type ReactNode } from 'react';
import { t } from '../../words.ts';
import css from './go-on-at.module.css';
import { momentOf } from './moment.ts';

const EMPTY_LINE = '\u00a0';

interface GoOnAtProps {
  /** When one can go on, in milliseconds since 1970 by the server's clock. */
  until: number;
  serverOffsetMs?: number;
  /** Whether that moment has come. */
  isOver?: boolean;
  onEnd: () => void;
}

/** What is shown where the captcha has to wait. */
export function renderCaptchaWait({ until, goOn }: { until: number; goOn: () => void }): ReactNode {
  return <GoOnAt until={until} onEnd={goOn} />;
}

/**
 * When a limit ends: the time of day, and a countdown. Afterwards it says that one can go on.
 * The first words stay in place unseen, so that nothing moves, however many lines they take.
 */
export function GoOnAt({ until, serverOffsetMs = 0, isOver = false, onEnd }: GoOnAtProps) {
  // Said once: the moment is worded otherwise when its day has come, and may take another line.
  const moment = useMemo(() => momentOf(until, serverOffsetMs), [until, serverOffsetMs]);

  return (
    <span className={css.moment}>
      <span className={css.words} data-over={isOver || undefined} aria-hidden={isOver || undefined}>
        {t('wait.until', { moment })}
        <span className={css.left}>
          {isOver ? EMPTY_LINE : <Countdown endsAt={until} serverOffsetMs={serverOffsetMs} onEnd={onEnd} />}
        </span>
      </span>
      {isOver && <span className={css.words}>{t('wait.over')}</span>}
    </span>
  );
}
