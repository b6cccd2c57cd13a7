import { formatBytes } from '@app/contracts/format-bytes';
import type { ListedRelease, ListedUnit } from '@app/contracts/registry';
import { Badge } from '@app/design-system/badge';
import type { ReactNode } from 'react';
import { momentOf } from '../../moment.ts';
import css from './releases-table.module.css';
import { t } from './words.ts';

/** How much of a commit people compare. */
const COMMIT_LETTERS = 10;

/** The releases of a unit. In a narrow window each release is a card, with the names of the columns beside its values. */
export function ReleasesTable({ listed }: { listed: ListedUnit }) {
  if (listed.releases.length === 0) return <p>{t('releases.none')}</p>;

  return (
    <div className={css.frame}>
      <table className={css.table}>
        <thead>
          <tr>
            {COLUMNS.map(({ label }) => (
              <th key={label} scope="col">
                {t(label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {listed.releases.map((release) => (
            <tr key={release.version}>
              {COLUMNS.map(({ label, show }) => (
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

const COLUMNS: readonly {
  label: Parameters<typeof t>[0];
  show: (release: ListedRelease, listed: ListedUnit) => ReactNode;
}[] = [
  { label: 'column.version', show: (release, listed) => <Version release={release} listed={listed} /> },
  {
    label: 'column.published',
    show: ({ publishedAt, publishedBy }) => t('release.by', { at: momentOf(publishedAt), by: publishedBy }),
  },
  {
    label: 'column.commit',
    show: ({ commit }) =>
      commit === null ? t('release.noCommit') : <code title={commit}>{commit.slice(0, COMMIT_LETTERS)}</code>,
  },
  { label: 'column.contract', show: ({ contract }) => contract },
  { label: 'column.size', show: ({ bytes }) => formatBytes(bytes) },
  { label: 'column.change', show: ({ change }) => formatChange(change) },
  {
    label: 'column.failures',
    show: ({ networks: { served, failed } }) => {
      if (failed === 0) return t('release.noFailures');
      // Only canaries report where they were served. Of another release it is known only where it failed.
      return served < failed ? t('release.failuresAlone', { failed }) : t('release.failures', { failed, served });
    },
  },
];

function Version({
  release: { version, withdrawnAt },
  listed: { stable, canary },
}: {
  release: ListedRelease;
  listed: ListedUnit;
}) {
  return (
    <span className={css.version}>
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
