import type { ListedUnit } from '@app/contracts/registry';
import { buttonClass } from '@app/design-system/button';
import { Card } from '@app/design-system/card';
import { FactList } from '@app/design-system/fact-list';
import { Notice } from '@app/design-system/notice';
import { momentOf } from '../../moment.ts';
import { QaGate } from './qa-gate.tsx';
import css from './qa.module.css';
import { ReleasesTable } from './releases-table.tsx';
import { t } from './words.ts';

/** Every unit: its channels, why a canary was halted, whether it is slow, what is locked, and all releases. */
export function ReleasesBoard() {
  return (
    <QaGate isFor={({ listing }) => listing !== undefined}>
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
          {t('at', { reason: halted.reason, at: momentOf(halted.at) })}
        </Notice>
      )}
      {lock && (
        <Notice kind="warning" title={t('lock.title', { by: lock.by })}>
          {t('at', { reason: lock.reason, at: momentOf(lock.at) })}
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
      <FactList layout="line" facts={listFacts(listed)} />
      <ReleasesTable listed={listed} />
    </Card>
  );
}

function listFacts({ stable, canary, lastGood, moved }: ListedUnit) {
  const none = t('channel.none');
  return [
    { label: t('channel.stable'), value: stable ?? none },
    {
      label: t('channel.canary'),
      value: canary
        ? t('channel.canaryIs', {
            version: canary.version,
            percent: canary.percent,
            since: momentOf(canary.since),
          })
        : none,
    },
    { label: t('channel.lastGood'), value: lastGood ?? none },
    {
      label: t('channel.moved'),
      value: moved ? t('channel.movedIs', { at: momentOf(moved.at), by: moved.by }) : t('channel.never'),
    },
  ];
}
