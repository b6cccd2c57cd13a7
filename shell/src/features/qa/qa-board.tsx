import { FAULTS, type Fault } from '@app/contracts/faults';
import { Button } from '@app/design-system/button';
import { Notice } from '@app/design-system/notice';
import { useState } from 'react';
import { listPageUnits } from './describe-page.ts';
import { momentOf } from '../../moment.ts';
import { LocalForm } from './local-form.tsx';
import { leavePins, messageOf, putPins, type QaView } from './qa-calls.ts';
import { QaGate } from './qa-gate.tsx';
import css from './qa.module.css';
import { ToolRow } from './tool-row.tsx';
import { UnitChoice } from './unit-choice.tsx';
import { t } from './words.ts';

/** What QA sees and chooses: each unit, what is served here and why, and what to serve instead. */
export function QaBoard() {
  return (
    <QaGate isFor={({ state }) => state.access || state.session !== null}>{(view) => <Choices {...view} />}</QaGate>
  );
}

/** Applies a choice by loading the page anew: versions are never swapped in a living page. */
function Choices({ state: { access, session }, listing }: QaView) {
  const [pins, setPins] = useState<Readonly<Record<string, string>>>(session?.pins ?? {});
  const [faults, setFaults] = useState<Readonly<Record<string, Fault>>>(session?.faults ?? {});
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const [shown] = useState(() => listPageUnits());
  const units = [...new Set([...shown, ...(listing?.units ?? [])].map(({ unit }) => unit))];

  async function change(act: () => Promise<void>) {
    setIsBusy(true);
    try {
      await act();
      location.reload();
    } catch (error) {
      setProblem(messageOf(error));
      setIsBusy(false);
    }
  }

  return (
    <div className={css.board}>
      <p className={css.quiet}>
        {session ? t(`pinned.${session.by}`, { until: momentOf(session.until) }) : t('pinned.nothing')}
      </p>
      <ul className={css.units}>
        {units.map((unit) => (
          <UnitChoice
            key={unit}
            shown={shown.find((one) => one.unit === unit)}
            listed={listing?.units.find((one) => one.unit === unit)}
            pin={pins[unit] ?? ''}
            fault={faults[unit] ?? ''}
            onPin={(pin) => setPins((all) => withEntry(all, unit, pin || undefined))}
            onFault={(name) =>
              setFaults((all) =>
                withEntry(
                  all,
                  unit,
                  FAULTS.find((fault) => fault === name),
                ),
              )
            }
          />
        ))}
      </ul>
      {problem !== undefined && <Notice kind="warning" title={problem} />}
      {(access || session) && (
        <div className={css.bar}>
          {access && (
            <Button disabled={isBusy} onClick={() => void change(() => putPins({ pins, faults }))}>
              {t('apply')}
            </Button>
          )}
          {session && (
            <Button kind="quiet" disabled={isBusy} onClick={() => void change(leavePins)}>
              {t('leave')}
            </Button>
          )}
        </div>
      )}
      {access && <LocalForm units={units} />}
      <ToolRow
        access={access}
        canShare={access && Object.keys(session?.pins ?? {}).length > 0}
        onProblem={setProblem}
      />
    </div>
  );
}

/** The same with another value under a name; undefined removes it. */
function withEntry<Value>(
  all: Readonly<Record<string, Value>>,
  name: string,
  value: Value | undefined,
): Readonly<Record<string, Value>> {
  const others = Object.fromEntries(Object.entries(all).filter(([other]) => other !== name));
  return value === undefined ? others : { ...others, [name]: value };
}
