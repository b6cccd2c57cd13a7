import type { Resolution } from '@app/contracts/resolution';
import { showToast } from '@app/platform';
import { useEffect, useState } from 'react';
import { watchBuilds } from './local-unit.ts';
import css from './overlay.module.css';
import { endLocal, messageOf } from './qa-calls.ts';
import { t } from './words.ts';

type Local = NonNullable<NonNullable<Resolution['qa']>['local']>;

/** Says that a unit comes from the computer of this browser, and what is wrong there, and leads back with one click. */
export function LocalBadge({ local: { unit, origin }, onOpen }: { local: Local; onOpen: () => void }) {
  const [problem, setProblem] = useState<string>();
  const { host } = new URL(origin);

  useEffect(() => watchBuilds(origin, setProblem), [origin]);

  const end = () =>
    void endLocal().then(
      () => location.reload(),
      (error: unknown) => showToast(messageOf(error)),
    );
  return (
    <>
      {problem !== undefined && problem !== 'away' && (
        <p className={css.problem} role="status">
          {problem}
        </p>
      )}
      <div className={css.local}>
        <button type="button" className={css.badge} onClick={onOpen}>
          <span className={css.label}>{t(problem === 'away' ? 'local.away' : 'local.badge', { unit, host })}</span>
        </button>
        <button type="button" className={css.badge} onClick={end}>
          {t('local.end')}
        </button>
      </div>
    </>
  );
}
