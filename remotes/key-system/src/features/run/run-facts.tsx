import type { OperatingSystem } from '@app/contracts/key-system';
import { FactList } from '@app/design-system/fact-list';
import { formatMoment } from '../../date.ts';
import { t } from '../../words.ts';
import { DeviceId, PlatformIcon } from '../device/device.tsx';
import { TimeLeft } from '../wait/time-left.tsx';
import css from './run-facts.module.css';
import type { RunReading } from './run-state.ts';

interface RunFactsProps {
  reading: RunReading;
  hwid: string | undefined;
  os: OperatingSystem;
  onEnd: () => void;
}

/** Facts beside the steps: how long a key still works, and for which device. */
export function RunFacts({ reading: { state, serverOffsetMs }, hwid, os, onEnd }: RunFactsProps) {
  const key = state?.key;

  function renderKey() {
    if (!state) return t('run.unknown');
    if (!key) return t('key.none');
    if (!key.active) return t('key.endedFact', { moment: formatMoment(key.expiresAt, serverOffsetMs) });
    if (key.zone !== 'same') return t('key.elsewhereFact');
    return <TimeLeft endsAt={key.expiresAt} serverOffsetMs={serverOffsetMs} onEnd={onEnd} />;
  }

  return (
    <section className={css.facts} data-needs-script aria-label={t('run.facts')}>
      <FactList
        facts={[
          { label: t('key.stillWorks'), value: renderKey() },
          { label: t('device.system'), value: <PlatformIcon os={os} /> },
        ]}
      />
      <DeviceId hwid={hwid} />
    </section>
  );
}
