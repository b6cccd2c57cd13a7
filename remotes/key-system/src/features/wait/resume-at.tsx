import { useMemo, useState, type ReactNode } from 'react';
import { formatMoment } from '../../date.ts';
import { t } from '../../words.ts';
import css from './resume-at.module.css';
import { TimeLeft } from './time-left.tsx';

const BLANK_LINE = '\u00a0';

/** Keeps an action disabled until `enable` is called, which has to happen at the moment `until`. */
export function useDisabledUntil(until: number | undefined): [isDisabled: boolean, enable: () => void] {
  const [passed, setPassed] = useState<number>();
  return [until !== undefined && until !== passed, () => setPassed(until)];
}

export function renderCaptchaWait({ until, resume }: { until: number; resume: () => void }): ReactNode {
  return <ResumeAt until={until} onEnd={resume} />;
}

interface ResumeAtProps {
  /** When the visitor can go on, in epoch milliseconds by the server's clock. */
  until: number;
  serverOffsetMs?: number;
  isOver?: boolean;
  /** Called when it has come. Without it there is no countdown here: another part of the page has one. */
  onEnd?: () => void;
}

/**
 * Says when a limit ends, with a countdown. Afterwards it says that the visitor can go on. The first text stays in
 * place but invisible then, so that the height does not change.
 */
export function ResumeAt({ until, serverOffsetMs = 0, isOver = false, onEnd }: ResumeAtProps) {
  // Written once and kept: after midnight the text would be shorter, and the height could change.
  const moment = useMemo(() => formatMoment(until, serverOffsetMs), [until, serverOffsetMs]);

  return (
    <span className={css.moment}>
      <span className={css.text} data-over={isOver || undefined} aria-hidden={isOver || undefined}>
        <span>{t('wait.until', { moment })}</span>
        {onEnd && (
          <span className={css.countdown}>
            {isOver ? BLANK_LINE : <TimeLeft endsAt={until} serverOffsetMs={serverOffsetMs} onEnd={onEnd} />}
          </span>
        )}
      </span>
      {isOver && <span className={css.text}>{t('wait.over')}</span>}
    </span>
  );
}
