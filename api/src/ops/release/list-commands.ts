import type { ListedRelease, ListedUnit, RegistryListing, SlowerTiming } from '@app/contracts/registry';
import { Argument } from '@commander-js/extra-typings';
import { OpsError, type Answer } from '#api/ops/command.ts';
import { formatTable, formatTime } from '#api/ops/format.ts';
import { unitArgument, versionArgument } from './arguments.ts';
import type { AddCommands, ReleaseSite } from './command.ts';

export const addListCommands: AddCommands = (program, { onSite }) => {
  program
    .command('list')
    .description('every unit with its releases, their channels, sizes and failures')
    .addArgument(new Argument('[unit]', 'only this one'))
    .action((unit) => onSite((site) => list(site, unit)));

  program
    .command('show')
    .description('everything about one release')
    .addArgument(unitArgument())
    .addArgument(versionArgument())
    .action((unit, version) => onSite((site) => show(site, unit, version)));
};

async function list(site: ReleaseSite, unit: string | undefined): Promise<Answer> {
  const listing = await site.list();
  const units = unit === undefined ? listing.units : [findUnit(listing, unit)];
  const rows = units.flatMap((listed) =>
    listed.releases.length === 0
      ? [[listed.unit, '(no release)']]
      : listed.releases.map((release) => describeRelease(listed, release)),
  );
  const table = formatTable(
    ['unit', 'version', 'channel', 'published', 'by', 'commit', 'contract', 'bytes', 'change', 'failed in'],
    rows,
  );
  return {
    data: { ...listing, units },
    text: [table, ...units.flatMap(describeRemarks)].join('\n'),
  };
}

async function show(site: ReleaseSite, unit: string, version: string): Promise<Answer> {
  const listed = findUnit(await site.list(), unit);
  const release = listed.releases.find((candidate) => candidate.version === version);
  if (!release) throw new OpsError(`${unit}@${version} was never published, or was removed.`);

  const { publishedAt, publishedBy, commit, contract, bytes, change, networks, withdrawnAt } = release;
  const lines = formatTable(
    [`${unit}@${version}`, describeChannel(listed, release) || 'no channel names it'],
    [
      ['published', `${formatTime(publishedAt)} by ${publishedBy}`],
      ['commit', commit ?? 'none: built from changes that are not committed, or without git'],
      ['contract', contract],
      ['bytes', change === null ? bytes : `${String(bytes)} (${formatChange(change)} to the one before)`],
      ['networks', `served in ${String(networks.served)}, failed in ${String(networks.failed)}`],
      ...(withdrawnAt === null ? [] : [['withdrawn', formatTime(withdrawnAt)]]),
    ],
  );
  return {
    data: { unit, ...release },
    text: [lines, ...describeRemarks(listed).filter((line) => line.includes(version))].join('\n'),
  };
}

function findUnit({ units }: RegistryListing, unit: string): ListedUnit {
  const found = units.find((candidate) => candidate.unit === unit);
  if (!found) throw new OpsError(`No unit has the name ${unit}. There are ${units.map((one) => one.unit).join(', ')}.`);
  return found;
}

function describeRelease(listed: ListedUnit, release: ListedRelease): (string | number | null)[] {
  const { version, publishedAt, publishedBy, commit, contract, bytes, change, networks } = release;
  return [
    listed.unit,
    version,
    describeChannel(listed, release),
    formatTime(publishedAt),
    publishedBy,
    commit?.slice(0, 7) ?? 'none',
    contract,
    bytes,
    change === null ? null : formatChange(change),
    describeFailures(networks),
  ];
}

/** Networks in which a release was served are counted for canaries only; failures for all releases. */
function describeFailures({ served, failed }: ListedRelease['networks']): string | null {
  if (served >= failed && served > 0) return `${String(failed)} of ${String(served)} networks`;
  return failed === 0 ? null : `${String(failed)} ${failed === 1 ? 'network' : 'networks'}`;
}

function describeChannel(listed: ListedUnit, { version, withdrawnAt }: ListedRelease): string {
  const { stable, canary, lastGood, halted } = listed;
  return [
    ...(stable === version ? ['stable'] : []),
    ...(canary?.version === version ? [`canary ${String(canary.percent)} %`] : []),
    ...(lastGood === version ? ['last good'] : []),
    ...(halted?.version === version ? ['halted'] : withdrawnAt === null ? [] : ['withdrawn']),
  ].join(', ');
}

/** Locks, halts, slowness, damage and previews of a unit, a sentence each. */
function describeRemarks({ unit, canary, lock, halted, slower, releases, previews }: ListedUnit): string[] {
  return [
    ...(lock ? [`${unit} is locked by ${lock.by} since ${formatTime(lock.at)}: ${lock.reason}`] : []),
    ...(halted ? [`${unit}@${halted.version} was halted at ${formatTime(halted.at)}: ${halted.reason}`] : []),
    ...slower.map(
      (timing) =>
        `${unit}@${canary?.version ?? ''} is slower than the stable release: ${describeSlowerCanary(timing)}.`,
    ),
    ...releases.flatMap(({ version, damage }) =>
      damage === undefined ? [] : [`${unit}@${version} is damaged on the disk of the server: ${damage}`],
    ),
    ...previews.map(
      ({ version, publishedBy, until }) =>
        `${unit}@${version} is a preview by ${publishedBy}, until ${formatTime(until)}.`,
    ),
  ];
}

const TIMINGS = { works: 'it works', lcp: 'its largest part is painted' } satisfies Record<
  SlowerTiming['timing'],
  string
>;

function describeSlowerCanary({ timing, canaryMs, stableMs, visits }: SlowerTiming): string {
  return `${TIMINGS[timing]} after ${String(canaryMs)} ms, not ${String(stableMs)} ms (medians of ${String(visits)} visits each to the same pages)`;
}

function formatChange(bytes: number): string {
  return `${bytes < 0 ? '' : '+'}${String(bytes)}`;
}
