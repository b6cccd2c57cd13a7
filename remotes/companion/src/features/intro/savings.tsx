import { CountUp } from '@app/design-system/count-up';
import { Stat, StatRow } from '@app/design-system/stat';
import { t } from '../../words.ts';

/** Three numbers about the app: savings, downloads and price. */
export function Savings() {
  return (
    <StatRow>
      <Stat label={t('stats.savings')}>
        <CountUp value={40} durationMs={900} suffix="%" />
      </Stat>
      <Stat label={t('stats.downloads')}>
        <CountUp value={150} durationMs={1200} suffix="k+" />
      </Stat>
      <Stat label={t('stats.price')}>{t('stats.price.value')}</Stat>
    </StatRow>
  );
}
