import type { Resolution } from '@app/contracts/resolution';
import { SHELL } from '@app/contracts/unit';
import { EDITING_PATH } from '@app/contracts/working-copy';
import { Button } from '@app/design-system/button';
import { FormField } from '@app/design-system/form-field';
import texts from '@app/design-system/text.module.css';
import { useEffect, useState } from 'react';
import { readResolution } from '../../federation/resolution.ts';
import overlayCss from './overlay.module.css';
import { changeAndReload, endLocal, putLocal, useChange } from './qa-calls.ts';
import css from './qa.module.css';
import { t } from './words.ts';

type LocalUnitState = NonNullable<NonNullable<Resolution['qa']>['local']>;

/** Says that a unit comes from the computer of this browser, and what is wrong there, and leads back with one click. */
export function LocalBadge({ local: { unit, origin }, onOpen }: { local: LocalUnitState; onOpen: () => void }) {
  const [problem, setProblem] = useState<string>();
  const { host } = new URL(origin);

  useEffect(() => watchBuilds(origin, setProblem), [origin]);

  return (
    <>
      {problem !== undefined && problem !== 'away' && (
        <p className={overlayCss.problem} role="status">
          {problem}
        </p>
      )}
      <div className={overlayCss.local}>
        <button type="button" className={overlayCss.badge} onClick={onOpen}>
          <span className={overlayCss.label}>
            {t(problem === 'away' ? 'local.away' : 'local.badge', { unit, host })}
          </span>
        </button>
        <button type="button" className={overlayCss.badge} onClick={() => changeAndReload(endLocal)}>
          {t('local.end')}
        </button>
      </div>
    </>
  );
}

/**
 * A new build loads the page anew, and so does the first one after a page that could not have it.
 * @param tell is called with the error of the last build, `away` without an answer, and undefined when all is well
 */
function watchBuilds(origin: string, tell: (problem: string | undefined) => void): () => void {
  let shown: string | undefined;
  let wasAway = false;
  const events = new EventSource(origin + EDITING_PATH + '/events');
  events.onmessage = ({ data }: MessageEvent<string>) => {
    const { build, problem } = JSON.parse(data) as { build: string; problem: string };
    if (shown === undefined ? wasAway : shown !== build) return location.reload();

    shown = build;
    tell(problem || undefined);
  };
  events.onerror = () => {
    wasAway = true;
    tell('away');
  };
  return () => events.close();
}

export function LocalForm({ units }: { units: readonly string[] }) {
  const remotes = units.filter((unit) => unit !== SHELL);
  const { local } = readResolution().qa ?? {};
  const [unit, setUnit] = useState(remotes[0] ?? '');
  const [port, setPort] = useState('');
  const { isBusy, problem, setProblem, change } = useChange();

  return (
    <form
      className={css.local}
      aria-label={t('local.title')}
      onSubmit={(event) => {
        event.preventDefault();
        change(() => putLocal({ unit, port: Number(port) }));
      }}
    >
      <h2 className={css.name}>{t('local.title')}</h2>
      {local ? (
        <>
          <p className={texts.quiet}>{t('local.is', { unit: local.unit, host: new URL(local.origin).host })}</p>
          <Button kind="quiet" disabled={isBusy} onClick={() => change(endLocal)}>
            {t('local.end')}
          </Button>
        </>
      ) : (
        <>
          <select
            className={css.select}
            aria-label={t('local.unit')}
            value={unit}
            onChange={({ target }) => setUnit(target.value)}
          >
            {remotes.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <FormField
            label={t('local.port')}
            message={
              problem === undefined
                ? { kind: 'hint', text: t('local.hint', { command: `npm run dev … --against ${location.origin}` }) }
                : { kind: 'error', text: problem }
            }
            action={
              <Button type="submit" kind="quiet" disabled={isBusy}>
                {t('local.use')}
              </Button>
            }
          >
            {(control) => (
              <input
                {...control}
                type="number"
                min={1024}
                max={65_535}
                required
                value={port}
                onChange={({ target }) => {
                  setPort(target.value);
                  setProblem(undefined);
                }}
              />
            )}
          </FormField>
        </>
      )}
    </form>
  );
}
