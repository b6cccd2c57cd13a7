import { ADVERTISER_IDS, ADVERTISER_NAMES } from '@app/contracts/advertisers';
import { SANDBOX } from '@app/contracts/key-system';
import type { SiteStatus as Status } from '@app/contracts/status-schemas';
import { COMMUNITY_LINKS } from '@app/contracts/brand';
import { Badge } from '@app/design-system/badge';
import { Card } from '@app/design-system/card';
import { Stat, StatRow } from '@app/design-system/stat';
import texts from '@app/design-system/text.module.css';
import { VisuallyHidden } from '@app/design-system/visually-hidden';
import { callApi, usePolling, useQuery } from '@app/platform';
import { useState, type ReactNode } from 'react';
import textButton from '../../text-button.module.css';
import { momentOf, numberOf } from '../../numbers.ts';
import css from './site-status.module.css';
import { Uptime } from './uptime.tsx';
import { t } from './words.ts';

const [CHAT] = COMMUNITY_LINKS;

/** Caches keep an answer for so long. */
const POLL_MS = 60_000;

const MINUTE_MS = 60_000;

/** How the site is doing now, and how it did. Every figure has its place before it is known. */
export function SiteStatus() {
  // The last answer stays when the server does not give another, and would go on saying that everything works.
  const [isAway, setIsAway] = useState(false);
  const { data, refetch } = useQuery(
    '/api/status',
    async (signal) => {
      const { siteStatusSchema } = await import('@app/contracts/status-schemas');
      const answer = callApi(siteStatusSchema, '/api/status', { signal });
      answer.then(
        () => setIsAway(false),
        () => signal.aborted || setIsAway(true),
      );
      return answer;
    },
    { onReturn: true },
  );
  usePolling(refetch, POLL_MS);

  return (
    <div className={css.status}>
      {isAway ? (
        <Now is="failed" text={t('status.failed.text')}>
          <button type="button" className={textButton.button} onClick={refetch}>
            {t('status.retry')}
          </button>
        </Now>
      ) : (
        <NowOf data={data} />
      )}
      <Uptime days={data?.days} />
      <StatRow>
        <Stat label={t('status.keysToday')}>{data ? numberOf(data.keys.today) : '–'}</Stat>
        <Stat label={t('status.keysYesterday')}>{data ? numberOf(data.keys.yesterday) : '–'}</Stat>
        <Stat label={t('status.run')}>
          {data?.usualRunMs === undefined ? (
            <>
              <span aria-hidden="true">–</span>
              <VisuallyHidden>{t('status.unknown')}</VisuallyHidden>
            </>
          ) : (
            t('status.time', { minutes: Math.round(data.usualRunMs / MINUTE_MS) })
          )}
        </Stat>
      </StatRow>
      <Card label={t('status.advertisers')}>
        <h2 className={css.heading}>{t('status.advertisers')}</h2>
        <ul className={css.advertisers}>
          {((!isAway && data?.advertisers) || ADVERTISERS).map(({ id, ok }) => (
            <li key={id} className={css.advertiser}>
              {(ADVERTISER_NAMES as Partial<Record<string, string>>)[id] ?? id}
              {ok !== undefined && <Badge kind={ok ? 'ok' : 'warn'}>{t(ok ? 'status.works' : 'status.down')}</Badge>}
            </li>
          ))}
        </ul>
      </Card>
      <p className={texts.quiet}>
        {t('status.ask')}{' '}
        <a className={texts.link} href={CHAT.href} target="_blank" rel="noopener noreferrer">
          {t('status.ask.link')}
        </a>
      </p>
    </div>
  );
}

const ADVERTISERS: readonly { id: string; ok?: boolean }[] = ADVERTISER_IDS.filter((id) => id !== SANDBOX).map(
  (id) => ({ id }),
);

function NowOf({ data }: { data: Status | undefined }) {
  if (!data) return <Now is="checking" />;

  const checked = t('status.checked', { time: momentOf(data.now).time });
  const down = data.advertisers.filter(({ ok }) => !ok).length;
  if (down === 0) return <Now is="ok" text={checked} />;
  const is = down < data.advertisers.length ? 'some' : 'none';
  return <Now is={is} down={down} text={`${t(`status.${is}.text`)} ${checked}`} />;
}

interface NowProps {
  is: 'checking' | 'ok' | 'some' | 'none' | 'failed';
  down?: number;
  text?: string;
  children?: ReactNode;
}

/** The answer to why the visitor is here. */
function Now({ is, down = 0, text, children }: NowProps) {
  return (
    <div className={css.now} data-is={is}>
      <p className={css.answer} role="status">
        <span className={css.dot} aria-hidden="true" />
        <span>{t(`status.${is}`, { down })}</span>
      </p>
      <div className={css.text}>
        <p>{text}</p>
        {children}
      </div>
    </div>
  );
}
