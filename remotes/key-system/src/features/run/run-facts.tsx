import type { OperatingSystem } from '@app/contracts/key-system';
import type { RunState } from '@app/contracts/key-system-schemas';
import { Countdown } from '@app/design-system/countdown';
import { FactList } from '@app/design-system/fact-list';
import { t } from '../../words.ts';
import { DeviceId } from '../device/device-id.tsx';
import { PlatformIcon } from '../device/platform-icon.tsx';
import { momentOf } from '../../moment.ts';
import { putTime } from '../../put-time.tsx';
import css from './run-facts.module.css';
import type { RunReading } from './use-run-state.ts';

interface RunFactsProps {
  reading: RunReading;
  hwid: string | undefined;
  os: OperatingSystem;
  /** Called when the key has ended. */
  onEnd: () => void;
}

/** The text when no key works here: there was none, it has ended, or it belongs to another zone. */
function wordsForNone(state: RunState | undefined, serverOffsetMs: number): string {
  if (!state) return t('run.unknown');
  if (state.key?.active) return t('key.elsewhereFact');
  return state.key ? t('key.endedFact', { moment: momentOf(state.key.expiresAt, serverOffsetMs) }) : t('key.none');
}

/** Facts beside the steps: how long a key still works, and for which device. */
export function RunFacts({ reading, hwid, os, onEnd }: RunFactsProps) {
  const { state, serverOffsetMs } = reading.status === 'ready' ? reading : { state: undefined, serverOffsetMs: 0 };
  const key = state?.key?.active && state.key.zone === 'same' ? state.key : undefined;

  return (
    <section className={css.facts} aria-label={t('run.facts')}>
      <FactList
        facts={[
          {
            label: t('key.stillWorks'),
            value: key
              ? putTime(
                  (time) => t('run.timeLeft', { time }),
                  <Countdown endsAt={key.expiresAt} serverOffsetMs={serverOffsetMs} onEnd={onEnd} />,
                )
              : wordsForNone(state, serverOffsetMs),
          },
          { label: t('device.system'), value: <PlatformIcon os={os} /> },
        ]}
      />
      <DeviceId hwid={hwid} />
    </section>
  );
}
