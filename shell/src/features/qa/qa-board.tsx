import { FAULTS, type Fault, SHELL } from '@app/contracts/unit';
import type { ListedUnit } from '@app/contracts/registry';
import { Badge, type BadgeKind } from '@app/design-system/badge';
import { Button } from '@app/design-system/button';
import { Notice } from '@app/design-system/notice';
import texts from '@app/design-system/text.module.css';
import { useId, useState } from 'react';
import { readResolution } from '../../federation/resolution.ts';
import { formatDateTime } from '../../date.ts';
import { listPageUnits, type PageUnit } from './describe-page.ts';
import { PinPicture } from './pin-picture.tsx';
import { LocalForm } from './local-unit.tsx';
import { leavePins, putPins, useChange, type QaView } from './qa-calls.ts';
import { QaGate } from './qa-gate.tsx';
import css from './qa.module.css';
import { ToolRow } from './tool-row.tsx';
import { t } from './words.ts';

export function QaBoard() {
  return (
    <QaGate
      isFor={({ state }) => state.access || state.session !== null}
      awaited={<UnitChoices {...expectView()} isAwaited />}
    >
      {(view) => <UnitChoices {...view} />}
    </QaGate>
  );
}

/** What the document says already, so that the page has its layout before the server answers. */
function expectView(): QaView {
  const { qa, revision } = readResolution();
  const units = listPageUnits().map(({ unit }) => ({ ...NO_RELEASES, unit }));

  return {
    state: { access: qa?.access ?? false, session: null },
    listing: qa?.access ? { revision, units } : undefined,
  };
}

const NO_RELEASES = {
  paths: [],
  stable: null,
  canary: null,
  lastGood: null,
  halted: null,
  lock: null,
  moved: null,
  releases: [],
  slower: [],
  previews: [],
} satisfies Omit<ListedUnit, 'unit'>;

function UnitChoices({ state: { access, session }, listing, isAwaited }: QaView & { isAwaited?: true }) {
  const [pins, setPins] = useState<Readonly<Record<string, string>>>(session?.pins ?? {});
  const [faults, setFaults] = useState<Readonly<Record<string, Fault | ''>>>(session?.faults ?? {});
  const { isBusy, problem, setProblem, change } = useChange();
  const [shown] = useState(() => listPageUnits());
  const units = [...new Set([...shown, ...(listing?.units ?? [])].map(({ unit }) => unit))];

  return (
    <div className={css.board}>
      <PinPicture />
      <p className={texts.quiet}>
        {session
          ? t(`pinned.${session.by}`, { until: formatDateTime(session.until) })
          : t(isAwaited ? 'loading' : 'pinned.nothing')}
      </p>
      <ul className={css.units}>
        {units.map((unit) => (
          <UnitChoice
            key={unit}
            shown={shown.find((one) => one.unit === unit)}
            listed={listing?.units.find((one) => one.unit === unit)}
            pin={pins[unit] ?? ''}
            fault={faults[unit] ?? ''}
            onPin={(pin) => setPins({ ...pins, [unit]: pin })}
            onFault={(fault) => setFaults({ ...faults, [unit]: fault })}
          />
        ))}
      </ul>
      {problem !== undefined && <Notice kind="warning" title={problem} />}
      {(access || session) && (
        <div className={css.bar}>
          {access && (
            <Button
              disabled={isBusy}
              onClick={() => change(() => putPins({ pins: omitEmpty(pins), faults: omitEmpty(faults) }))}
            >
              {t('apply')}
            </Button>
          )}
          {session && (
            <Button kind="quiet" disabled={isBusy} onClick={() => change(leavePins)}>
              {t('leave')}
            </Button>
          )}
        </div>
      )}
      {access && <LocalForm units={units} />}
      <ToolRow
        access={access}
        canShare={access && Object.keys(session?.pins ?? {}).length > 0}
        onProblem={setProblem}
      />
    </div>
  );
}

/** Without what nothing was chosen for. */
function omitEmpty<Value extends string>(all: Readonly<Record<string, Value | ''>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')) as Record<string, Value>;
}

const BADGES = {
  stable: 'latest',
  canary: 'free',
  pin: 'warn',
  fallback: 'hot',
  local: 'warn',
} as const satisfies Record<PageUnit['source'], BadgeKind>;

interface UnitChoiceProps {
  shown: PageUnit | undefined;
  listed: ListedUnit | undefined;
  pin: string;
  fault: Fault | '';
  onPin: (pin: string) => void;
  onFault: (fault: Fault | '') => void;
}

function UnitChoice({ shown, listed, pin, fault, onPin, onFault }: UnitChoiceProps) {
  const id = useId();
  const unit = shown?.unit ?? listed?.unit ?? '';
  const warning = unit === SHELL ? `${id}-warning` : undefined;

  return (
    <li className={css.unit} aria-labelledby={id}>
      <div className={css.current}>
        <h2 id={id} className={css.name}>
          {unit}
        </h2>
        {shown && (
          <>
            <p className={css.version}>
              <code>{shown.version}</code> <Badge kind={BADGES[shown.source]}>{t(`source.${shown.source}`)}</Badge>
            </p>
            <p className={texts.note}>{t(`why.${shown.source}`)}</p>
          </>
        )}
      </div>
      {listed && (
        <div className={css.choices}>
          <label className={css.label} htmlFor={`${id}-version`}>
            {t('choose.versionLabel')}
          </label>
          <select
            id={`${id}-version`}
            className={css.select}
            aria-label={t('choose.version', { unit })}
            value={pin}
            onChange={({ target }) => onPin(target.value)}
          >
            <option value="">{t('choose.usual')}</option>
            {listVersions(listed, pin).map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <label className={css.label} htmlFor={`${id}-fault`}>
            {t('choose.faultLabel')}
          </label>
          <select
            id={`${id}-fault`}
            className={css.select}
            aria-label={t('choose.fault', { unit })}
            aria-describedby={warning}
            value={fault}
            onChange={({ target }) => onFault(target.value as Fault | '')}
          >
            <option value="">{t('fault.none')}</option>
            {FAULTS.map((name) => (
              <option key={name} value={name}>
                {t(`fault.${name}`)}
              </option>
            ))}
          </select>
          {warning && (
            <p id={warning} className={css.warning}>
              {t('fault.shell')}
            </p>
          )}
        </div>
      )}
    </li>
  );
}

/** What a unit can be pinned to. What it is pinned to now is in the list in any case. */
function listVersions(
  { stable, canary, halted, releases }: ListedUnit,
  pin: string,
): { value: string; label: string }[] {
  const options = [
    ...(stable === null ? [] : [{ value: 'stable', label: t('choose.stable', { version: stable }) }]),
    ...(canary ? [{ value: 'canary', label: t('choose.canary', { version: canary.version }) }] : []),
    ...releases.map(({ version, publishedAt, withdrawnAt }) => ({
      value: version,
      label: [
        version,
        formatDateTime(publishedAt),
        ...(version === halted?.version ? [t('release.halted')] : withdrawnAt === null ? [] : [t('release.withdrawn')]),
      ].join(' · '),
    })),
  ];
  const isListed = pin === '' || options.some(({ value }) => value === pin);
  return isListed ? options : [{ value: pin, label: t('choose.gone', { version: pin }) }, ...options];
}
