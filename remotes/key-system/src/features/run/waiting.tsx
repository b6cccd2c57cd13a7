import { useIsLate } from '@app/design-system/use-is-late';
import { t } from '../../words.ts';
import css from './waiting.module.css';

/** The interval of the requests meanwhile. The server answers a device thirty times a minute. */
const POLL_MS = 3000;
const POLL_LATE_MS = 10_000;

/** The interval of the requests while no advertiser can be used. */
const POLL_DOWN_MS = 15_000;

/** How often to ask the server for news; `pollMs` is undefined when nothing has to be asked. */
export function useWaiting(isAwaited: boolean, isDown: boolean): { isLate: boolean; pollMs: number | undefined } {
  const isLate = useIsLate(isAwaited);

  if (isAwaited) return { isLate, pollMs: isLate ? POLL_LATE_MS : POLL_MS };
  return { isLate: false, pollMs: isDown ? POLL_DOWN_MS : undefined };
}

/** Shown when the visitor has come back from the advertiser, but its confirmation has not arrived. */
export function Waiting({ isLate }: { isLate: boolean }) {
  return (
    <p role="status">
      <span className={css.sign} data-late={isLate} aria-hidden="true" />
      <strong className={css.title}>{t(isLate ? 'waiting.late' : 'waiting.soon')}</strong>{' '}
      <span>{t(isLate ? 'waiting.lateWhy' : 'waiting.soonWhy')}</span>
    </p>
  );
}
