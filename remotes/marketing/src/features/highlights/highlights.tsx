import { CountUp } from '@app/design-system/count-up';
import { Stat, StatRow } from '@app/design-system/stat';
import { t } from '../../words.ts';
import { inMillions, useUserCounts } from './user-counts.ts';

export function V5Highlights() {
  const { v5Users } = useUserCounts();

  return (
    <StatRow>
      <Community />
      <Stat label={t('highlights.v5Users')}>
        <CountUp value={v5Users ?? 0} durationMs={900} suffix="+" />
      </Stat>
      <Stat label={t('highlights.v5Rating')}>
        <CountUp value={4.8} decimals={1} durationMs={900} suffix="/5" />
      </Stat>
      <Stat label={t('highlights.neoRating')}>
        <CountUp value={4.7} decimals={1} durationMs={900} suffix="/5" />
      </Stat>
      <Uptime />
    </StatRow>
  );
}

export function NeoHighlights() {
  const { neoKeys } = useUserCounts();

  return (
    <StatRow>
      <Stat label={t('highlights.neoDownloads')}>
        <CountUp value={4} durationMs={1200} suffix="M+" />
      </Stat>
      <Stat label={t('highlights.neoKeys')}>
        {neoKeys === undefined ? '–' : <CountUp {...inMillions(neoKeys)} durationMs={1200} />}
      </Stat>
      <Stat label={t('highlights.neoRating')}>
        <CountUp value={4.7} decimals={1} durationMs={900} suffix="/5" />
      </Stat>
      <Stat label={t('highlights.forEachKey')}>{t('highlights.keyHours')}</Stat>
      <Community />
      <Uptime />
    </StatRow>
  );
}

function Community() {
  return (
    <Stat label={t('highlights.community')}>
      <CountUp value={500} durationMs={1200} suffix="k+" />
    </Stat>
  );
}

function Uptime() {
  return (
    <Stat label={t('highlights.uptime')}>
      <CountUp value={99.9} decimals={1} durationMs={1200} suffix="%" />
    </Stat>
  );
}
