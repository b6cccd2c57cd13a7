import { Page } from '@app/design-system/page';
import { Figures } from '../features/stats/figures.tsx';
import { TokenForm } from '../features/stats/token-form.tsx';
import { useStatsToken } from '../features/stats/use-stats-token.ts';
import { t } from '../features/stats/words.ts';

/** What became of an app's runs, for its author. */
export function StatsPage() {
  const { token, isMalformed, tell, forget } = useStatsToken();

  return (
    <Page compact heading={t('stats.heading')} lead={t('stats.lead')}>
      {token === undefined || isMalformed ? (
        <TokenForm problem={isMalformed ? 'malformed' : undefined} onTell={tell} />
      ) : (
        <Figures
          key={token}
          token={token}
          onForget={forget}
          refused={(why) => <TokenForm problem={why} onTell={tell} />}
        />
      )}
    </Page>
  );
}
