import { formatBytes } from '@app/contracts/format-bytes';
import type { ListedRelease, ListedUnit } from '@app/contracts/registry';
import { Badge } from '@app/design-system/badge';
import { buttonClass } from '@app/design-system/button';
import { Card } from '@app/design-system/card';
import { FactList } from '@app/design-system/fact-list';
import { Notice } from '@app/design-system/notice';
import type { ReactNode } from 'react';
import { formatDateTime } from '../../date.ts';
import { QaGate } from './qa-gate.tsx';
import css from './qa.module.css';
import tableCss from './releases-table.module.css';
import { t } from './words.ts';

/** Every unit: its channels, why a canary was halted, whether it is slow, what is locked, and all releases. */
export function ReleasesBoard() {
  return (
    <QaGate isFor={({ listing }) => listing !== undefined} awaited={<p>{t('loading')}</p>}>
      {({ listing }) => (
        <div className={css.board}>
          <p>
            <a className={buttonClass({ kind: 'quiet' })} href="/qa">
              {t('back')}
            </a>
          </p>
          {listing?.units.map((listed) => (
            <UnitCard key={listed.unit} listed={listed} />
          ))}
        </div>
      )}
    </QaGate>
  );
}

function UnitCard({ listed }: { listed: ListedUnit }) {
  const { unit, paths, canary, halted, lock, slower, releases } = listed;

  return (
    <Card label={unit}>
      <header>
        <h2 className={css.name}>{unit}</h2>
        <p className={css.paths}>{paths.join(' ')}</p>
      </header>
      {halted && (
        <Notice kind="warning" title={t('halted.title', { version: halted.version })}>
          {t('at', { reason: halted.reason, at: formatDateTime(halted.at) })}
        </Notice>
      )}
      {lock && (
        <Notice kind="warning" title={t('lock.title', { by: lock.by })}>
          {t('at', { reason: lock.reason, at: formatDateTime(lock.at) })}
        </Notice>
      )}
      {canary &&
        slower.map(({ timing, canaryMs, stableMs, visits }) => (
          <Notice key={timing} kind="warning" title={t('slower.title', { version: canary.version })}>
            {t(`slower.${timing}`, { canary: canaryMs, stable: stableMs, visits })}
          </Notice>
        ))}
      {releases.map(
        ({ version, damage }) =>
          damage !== undefined && (
            <Notice key={version} kind="warning" title={t('damaged.title', { version })}>
              {damage}
            </Notice>
          ),
      )}
      <FactList layout="line" facts={listChannelFacts(listed)} />
      <ReleasesTable listed={listed} />
    </Card>
  );
}

function listChannelFacts({ stable, canary, lastGood, moved }: ListedUnit) {
  const none = t('channel.none');
  return [
    { label: t('channel.stable'), value: stable ?? none },
    {
      label: t('channel.canary'),
      value: canary
        ? t('channel.canaryIs', {
            version: canary.version,
            percent: canary.percent,
            since: formatDateTime(canary.since),
          })
        : none,
    },
    { label: t('channel.lastGood'), value: lastGood ?? none },
    {
      label: t('channel.moved'),
      value: moved ? t('channel.movedIs', { at: formatDateTime(moved.at), by: moved.by }) : t('channel.never'),
    },
  ];
}

const COMMIT_LETTERS = 10;

/** The releases of a unit. In a narrow window each release is a card, with the names of the columns beside its values. */
function ReleasesTable({ listed }: { listed: ListedUnit }) {
  if (listed.releases.length === 0) return <p>{t('releases.none')}</p>;

  return (
    <div className={tableCss.frame}>
      <table className={tableCss.table}>
        <thead>
          <tr>
            {COLUMNS.map(([label]) => (
              <th key={label} scope="col">
                {t(label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {listed.releases.map((release) => (
            <tr key={release.version}>
              {COLUMNS.map(([label, show]) => (
                <td key={label} data-label={t(label)}>
                  <span>{show(release, listed)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const COLUMNS: readonly [Parameters<typeof t>[0], (release: ListedRelease, listed: ListedUnit) => ReactNode][] = [
  ['column.version', (release, listed) => <Version {...release} {...listed} />],
  [
    'column.published',
    ({ publishedAt, publishedBy }) => t('release.by', { at: formatDateTime(publishedAt), by: publishedBy }),
  ],
  [
    'column.commit',
    ({ commit }) =>
      commit === null ? t('release.noCommit') : <code title={commit}>{commit.slice(0, COMMIT_LETTERS)}</code>,
  ],
  ['column.contract', ({ contract }) => contract],
  ['column.size', ({ bytes }) => formatBytes(bytes)],
  ['column.change', ({ change }) => formatChange(change)],
  [
    'column.failures',
    ({ networks: { served, failed } }) => {
      if (failed === 0) return t('release.noFailures');
      // Only canaries report where they were served. Of another release it is known only where it failed.
      return served < failed ? t('release.failuresAlone', { failed }) : t('release.failures', { failed, served });
    },
  ],
];

function Version({ version, withdrawnAt, stable, canary }: ListedRelease & ListedUnit) {
  return (
    <span className={tableCss.version}>
      <code>{version}</code>
      {version === stable && <Badge kind="ok">{t('source.stable')}</Badge>}
      {version === canary?.version && <Badge kind="free">{t('source.canary')}</Badge>}
      {withdrawnAt !== null && <Badge kind="disc">{t('release.withdrawn')}</Badge>}
    </span>
  );
}

function formatChange(change: number | null): string {
  if (change === null) return t('release.first');
  const sign = change > 0 ? '+' : change < 0 ? '−' : '±';
  return `${sign}${formatBytes(Math.abs(change))}`;
}
