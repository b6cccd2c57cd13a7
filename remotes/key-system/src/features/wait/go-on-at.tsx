import { Countdown } from '@app/design-system/countdown';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import css from './go-on-at.module.css';
import { momentOf } from './moment.ts';

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

/** When a limit ends: the time of day, and a countdown. Afterwards it says that one can go on. */
export function GoOnAt({ until, serverOffsetMs = 0, isOver = false, onEnd }: GoOnAtProps) {
  if (isOver) return <span className={css.moment}>{t('wait.over')}</span>;

  return (
    <span className={css.moment}>
      {t('wait.until', { moment: momentOf(until, serverOffsetMs) })}
      <span className={css.left}>
        <Countdown endsAt={until} serverOffsetMs={serverOffsetMs} onEnd={onEnd} />
      </span>
    </span>
  );
}
