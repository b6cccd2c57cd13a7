import { Page } from '@app/design-system/page';
import { Figures } from '../features/stats/figures.tsx';
import { TokenForm } from '../features/stats/token-form.tsx';
import { useStatsToken } from '../features/stats/use-stats-token.ts';
import { t } from '../features/stats/words.ts';

export function StatsPage() {
  const { token, isMalformed, forget, ...form } = useStatsToken();

  return (
    <Page compact heading={t('stats.heading')} lead={t('stats.lead')}>
      {token === undefined || isMalformed ? (
        <TokenForm problem={isMalformed ? 'malformed' : undefined} {...form} />
      ) : (
        <Figures
          key={token}
          token={token}
          isAsked={form.isAsked}
          onForget={forget}
          refused={(why) => <TokenForm problem={why} {...form} />}
        />
      )}
    </Page>
  );
}
