import type { OperatingSystem } from '@app/contracts/key-system';
import type { RunState } from '@app/contracts/key-system-schemas';
import { Countdown } from '@app/design-system/countdown';
import { FactList } from '@app/design-system/fact-list';
import { t } from '../../words.ts';
import { DeviceId } from '../device/device-id.tsx';
import { PlatformIcon } from '../device/platform-icon.tsx';
import { momentOf } from '../../moment.ts';
import css from './run-facts.module.css';
import type { RunReading } from './use-run-state.ts';

interface RunFactsProps {
  reading: RunReading;
  hwid: string | undefined;
  os: OperatingSystem;
  /** Called when the run or the key has ended. */
  onEnd: () => void;
}

/** The text when no key works here: there was none, it has ended, or it belongs to another zone. */
function wordsForNone(state: RunState | undefined, serverOffsetMs: number): string {
  if (!state) return t('run.unknown');
  if (state.key?.active) return t('key.elsewhereFact');
  return state.key ? t('key.endedFact', { moment: momentOf(state.key.expiresAt, serverOffsetMs) }) : t('key.none');
}

/** Facts beside the steps: how long the run stays open, how long a key still works, and for which device. */
export function RunFacts({ reading, hwid, os, onEnd }: RunFactsProps) {
  const { state, serverOffsetMs } = reading.status === 'ready' ? reading : { state: undefined, serverOffsetMs: 0 };
  const run = state?.run;
  const key = state?.key?.active && state.key.zone === 'same' ? state.key : undefined;

  // Beside a working key, a run that has not begun is not mentioned.
  const mayGoOn = run || !key;

  const left = (endsAt: number) => (
    <>
      <Countdown endsAt={endsAt} serverOffsetMs={serverOffsetMs} onEnd={onEnd} /> <span>{t('run.left')}</span>
    </>
  );

  return (
    <section className={css.facts} aria-label={t('run.facts')}>
      <FactList
        facts={[
          ...(mayGoOn
            ? [
                {
                  label: t('run.staysOpen'),
                  value: run ? left(run.expiresAt) : t(state ? 'run.notBegun' : 'run.unknown'),
                },
              ]
            : []),
          {
            label: t('key.stillWorks'),
            value: key ? left(key.expiresAt) : wordsForNone(state, serverOffsetMs),
          },
          { label: t('device.system'), value: <PlatformIcon os={os} /> },
        ]}
      />
      <DeviceId hwid={hwid} />
      {mayGoOn && <p className={css.note}>{t('run.comeBack')}</p>}
    </section>
  );
}
