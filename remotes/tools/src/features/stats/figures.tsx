import { ADVERTISER_NAMES } from '@app/contracts/advertisers';
import type { RunStats } from '@app/contracts/stats-schemas';
import { Button } from '@app/design-system/button';
import { Notice } from '@app/design-system/notice';
import { VisuallyHidden } from '@app/design-system/visually-hidden';
import tabs from '@app/design-system/tabs.module.css';
import texts from '@app/design-system/text.module.css';
import { ApiError, callApi, useQuery } from '@app/platform';
import { useState, type ReactNode } from 'react';
import textButton from '../../text-button.module.css';
import { KeyDays, OutcomeBars } from './charts.tsx';
import css from './figures.module.css';
import { momentOf } from '../../numbers.ts';
import { useLostFocus } from './token-form.tsx';
import { t } from './words.ts';

const RANGES = [7, 30, 90] as const;

interface FiguresProps {
  token: string;
  /** Whether the figures answer something that the visitor did. */
  isAsked: boolean;
  onForget: () => void;
  /** Renders what is there instead when the server refuses the token. */
  refused: (why: 'unknown' | 'expired') => ReactNode;
}

export function Figures({ token, isAsked, onForget, refused }: FiguresProps) {
  const [isRetried, setIsRetried] = useState(false);
  const [days, setDays] = useState<number>(30);
  const { status, error, shown, isFetching, refetch } = useRunStats(token, days);
  const code = error instanceof ApiError ? error.code : undefined;
  if (code === 'stats.token_unknown') return refused('unknown');
  if (code === 'stats.token_expired') return refused('expired');

  return (
    <div className={css.figures} aria-busy={isFetching}>
      <div className={css.bar}>
        <div role="group" className={tabs.row} aria-label={t('stats.range')}>
          {RANGES.map((range) => (
            <button
              key={range}
              type="button"
              className={css.range}
              aria-pressed={range === days}
              onClick={() => setDays(range)}
            >
              {t('stats.days', { days: range })}
            </button>
          ))}
        </div>
        <button type="button" className={textButton.button} onClick={onForget}>
          {t('stats.forget')}
        </button>
      </div>
      {shown && <StatsCharts stats={shown} isAsked={isAsked || isRetried} />}
      {status === 'failed' && (
        <Failure
          error={error}
          isAsked={isAsked}
          isFetching={isFetching}
          onRetry={() => {
            setIsRetried(true);
            refetch();
          }}
        />
      )}
      <p role="status">
        {status === 'loading' && !shown && <span>{t('stats.loading')}</span>}
        {status === 'ready' && <VisuallyHidden>{t('stats.loaded', { days })}</VisuallyHidden>}
      </p>
    </div>
  );
}

function StatsCharts({ stats, isAsked }: { stats: RunStats; isAsked: boolean }) {
  const heading = useLostFocus<HTMLHeadingElement>(isAsked);
  const { app, countedUntil, steps, advertisers, keys } = stats;
  const isEmpty = [...steps, ...advertisers].every(({ sent }) => sent === 0) && keys.every((day) => day.issued === 0);

  return (
    <>
      <div>
        <h2 ref={heading} className={css.app} tabIndex={-1}>
          <span className={texts.note}>{t('stats.app')}</span> {app}
        </h2>
        <p className={texts.note}>
          {countedUntil === 0 ? t('stats.begins') : t('stats.until', momentOf(countedUntil))}
        </p>
      </div>
      {isEmpty ? (
        <Notice title={t('stats.empty')}>{t('stats.empty.text')}</Notice>
      ) : (
        <div className={css.charts}>
          <OutcomeBars
            isScaled
            heading={t('stats.funnel')}
            lead={t('stats.funnel.lead')}
            of={t('stats.place')}
            rows={steps.map(({ step, ...sums }) => ({ id: String(step), label: t('stats.step', { step }), sums }))}
          />
          <OutcomeBars
            heading={t('stats.advertisers')}
            lead={t('stats.advertisers.lead')}
            of={t('stats.advertiser')}
            rows={[...advertisers]
              .sort((one, other) => other.sent - one.sent)
              .map(({ advertiser, ...sums }) => ({
                id: advertiser,
                label: (ADVERTISER_NAMES as Partial<Record<string, string>>)[advertiser] ?? advertiser,
                sums,
              }))}
          />
          <div className={css.wide}>
            <KeyDays keys={keys} />
          </div>
        </div>
      )}
    </>
  );
}

/** Loads the figures of so many days. While those of other days are on their way, the last ones stay. */
function useRunStats(token: string, days: number) {
  const [last, setLast] = useState<RunStats>();
  const query = useQuery(`${String(days)} ${token}`, async (signal) => {
    const { runStatsSchema } = await import('@app/contracts/stats-schemas');
    const headers = { authorization: `Bearer ${token}` };
    return callApi(runStatsSchema, `/api/stats/runs?days=${String(days)}`, { signal, headers });
  });
  if (query.data && query.data !== last) setLast(query.data);

  return { ...query, shown: query.data ?? (query.status === 'loading' ? last : undefined) };
}

interface FailureProps {
  error: unknown;
  isAsked: boolean;
  isFetching: boolean;
  onRetry: () => void;
}

function Failure({ error, isAsked, isFetching, onRetry }: FailureProps) {
  const words = useLostFocus<HTMLParagraphElement>(isAsked);
  const why = !(error instanceof ApiError) ? 'offline' : error.code === 'KS_LIMIT' ? 'limit' : 'broken';

  return (
    <Notice kind="warning" title={t(`stats.${why}`)}>
      <div className={css.failure}>
        <p ref={words} tabIndex={-1}>
          {t(`stats.${why}.text`)}
        </p>
        <Button disabled={isFetching} onClick={onRetry}>
          {isFetching ? t('stats.loading') : t('stats.retry')}
        </Button>
      </div>
    </Notice>
  );
}
