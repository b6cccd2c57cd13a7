import { Countdown } from '@app/design-system/countdown';
import { useMemo, type ReactNode } from 'react';
import { t } from '../../words.ts';
import css from './go-on-at.module.css';
import { momentOf } from '../../moment.ts';

const EMPTY_LINE = '\u00a0';

interface GoOnAtProps {
  /** When the visitor can go on, in epoch milliseconds by the server's clock. */
  until: number;
  serverOffsetMs?: number;
  /** Whether that time has come. */
  isOver?: boolean;
  /** Called when it has come. Without it there is no countdown here: another part of the page has one. */
  onEnd?: () => void;
}

/** Renders the pause of a captcha; for the prop `renderWait` of `Captcha`. */
export function renderCaptchaWait({ until, goOn }: { until: number; goOn: () => void }): ReactNode {
  return <GoOnAt until={until} onEnd={goOn} />;
}

/**
 * Says when a limit ends, with a countdown. Afterwards it says that the visitor can go on. The first text stays in
 * place but invisible then, so that the height does not change.
 */
export function GoOnAt({ until, serverOffsetMs = 0, isOver = false, onEnd }: GoOnAtProps) {
  // Written once and kept: after midnight the text would be shorter, and the height could change.
  const moment = useMemo(() => momentOf(until, serverOffsetMs), [until, serverOffsetMs]);

  return (
    <span className={css.moment}>
      <span className={css.words} data-over={isOver || undefined} aria-hidden={isOver || undefined}>
        <span>{t('wait.until', { moment })}</span>
        {onEnd && (
          <span className={css.left}>
            {isOver ? EMPTY_LINE : <Countdown endsAt={until} serverOffsetMs={serverOffsetMs} onEnd={onEnd} />}
          </span>
        )}
      </span>
      {isOver && <span className={css.words}>{t('wait.over')}</span>}
    </span>
  );
}
