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
      <Stat label={t('highlights.v5Rating')}>{t('choose.v5.evidence')}</Stat>
      <Stat label={t('highlights.neoRating')}>{t('choose.neo.evidence')}</Stat>
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
      <Stat label={t('highlights.neoRating')}>{t('choose.neo.evidence')}</Stat>
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
  return <Stat label={t('highlights.uptime')}>{t('highlights.uptime.value')}</Stat>;
}
