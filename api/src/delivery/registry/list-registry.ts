import type { ListedChannels, ListedRelease, RegistryListing, SlowerTiming } from '@app/contracts/registry';
import { isPreview, releaseSchema } from '@app/contracts/release';
import type { Db, ReleaseRow } from '#api/foundation/db/schema.ts';
import { parseJson } from '#api/foundation/settings/read-json.ts';
import { createChannelsRepository, createReleasesRepository, type UnitChannels } from './registry.repository.ts';
import { findCanaryRegressions } from './canary-regression.ts';
import type { ReleaseHealth } from '#api/delivery/store/release-health.ts';

export async function listRegistry(db: Db, findDamage?: ReleaseHealth['findDamage']): Promise<RegistryListing> {
  const channels = createChannelsRepository(db);
  const releases = createReleasesRepository(db);
  const revision = await channels.revision();
  const rows = await releases.list();
  const lastGood = await releases.listLastGood();
  const reports = await releases.countReports();
  const listed = await channels.list();
  const slower = new Map<string, SlowerTiming[]>();
  for (const found of listed) slower.set(found.unit, await findCanaryRegressions(db, found));

  const countNetworks = (of: ReleaseRow, kind: 'served' | 'failed') =>
    reports.find((report) => report.unit === of.unit && report.version === of.version && report.kind === kind)
      ?.networks ?? 0;

  return {
    revision,
    units: listed.map((found) => {
      const all = rows.filter(({ unit }) => unit === found.unit);
      const own = all.filter(({ version }) => !isPreview(version));
      return {
        ...presentChannels(found, lastGood),
        releases: own.map((row, index) => {
          const damage = findDamage?.(row);
          return {
            ...presentRelease(row, own[index + 1]),
            networks: { served: countNetworks(row, 'served'), failed: countNetworks(row, 'failed') },
            ...(damage !== undefined && { damage }),
          };
        }),
        slower: slower.get(found.unit) ?? [],
        previews: all.filter(({ version }) => isPreview(version)).map(presentPreview),
      };
    }),
  };
}

export async function findChannels(db: Db, unit: string): Promise<ListedChannels | undefined> {
  const found = await createChannelsRepository(db).find(unit);
  return found && presentChannels(found, await createReleasesRepository(db).listLastGood());
}

function presentChannels(
  { unit, paths, channel }: UnitChannels,
  lastGood: ReadonlyMap<string, string>,
): ListedChannels {
  const { stable, canary, canaryShare, canarySince, halted, haltReason, haltedAt } = channel;
  const { lockReason, lockedBy, lockedAt, movedBy, movedAt } = channel;

  return {
    unit,
    paths,
    stable,
    canary: canary === null ? null : { version: canary, percent: (canaryShare ?? 0) / 100, since: canarySince ?? 0 },
    lastGood: lastGood.get(unit) ?? null,
    halted: halted === null ? null : { version: halted, reason: haltReason ?? '', at: haltedAt ?? 0 },
    lock: lockReason === null ? null : { reason: lockReason, by: lockedBy ?? '', at: lockedAt ?? 0 },
    moved: movedBy === null ? null : { by: movedBy, at: movedAt ?? 0 },
  };
}

function presentPreview({ version, publishedAt, publishedBy, manifest, pinnedUntil }: ReleaseRow) {
  const { commit } = parseJson(releaseSchema, manifest);
  return { version, publishedAt, publishedBy, commit, until: pinnedUntil ?? publishedAt };
}

function presentRelease(
  { version, manifest, bytes, publishedAt, publishedBy, withdrawnAt, lastStableAt }: ReleaseRow,
  before: ReleaseRow | undefined,
): Omit<ListedRelease, 'networks'> {
  const { commit, contract } = parseJson(releaseSchema, manifest);

  return {
    version,
    publishedAt,
    publishedBy,
    commit,
    contract: contract.version,
    bytes,
    change: before ? bytes - before.bytes : null,
    withdrawnAt,
    lastStableAt,
  };
}
