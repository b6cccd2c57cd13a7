import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Release, releaseSchema } from '@app/contracts/release';
import { SHELL, type Unit } from '@app/contracts/unit';
import * as v from 'valibot';
import type { Db, ReleaseRow } from '#api/foundation/db/schema.ts';
import { parseJson } from '#api/foundation/settings/read-json.ts';
import { createChannelsRepository, createReleasesRepository, START_ACTOR } from './registry.repository.ts';

export interface Canary {
  release: Release;
  /** In hundredths of a percent. */
  share: number;
}

export interface ServedUnit {
  stable: Release;
  canary?: Canary | undefined;
  /** The version to load when another one fails: the newest that was stable before and was not rolled back. */
  lastGood?: Release | undefined;
}

/** What is served, as of one state of the registry. A snapshot is never changed; a newer one takes its place. */
export interface Snapshot {
  revision: number;
  /** The shell comes first. Units without a stable release are not in it. */
  units: ReadonlyMap<Unit, ServedUnit>;
  /** The units that have a stable release of which this server can serve nothing. */
  unserved: readonly Unit[];
}

function listServedReleases({ stable, canary, lastGood }: ServedUnit): Release[] {
  return [stable, ...(canary ? [canary.release] : []), ...(lastGood ? [lastGood] : [])];
}

export type ReleaseId = Pick<Release, 'unit' | 'version'>;

export function nameOf({ unit, version }: ReleaseId): string {
  return `${unit}@${version}`;
}

/** A unit whose stable release is lacking keeps its previous one, or gets its last good or another; or has no pages. */
function withoutReleases(
  lacking: ReadonlySet<ReleaseId>,
  wanted: ReadonlyMap<Unit, ServedUnit>,
  before: ReadonlyMap<Unit, ServedUnit>,
  others: ReadonlyMap<Unit, Release>,
): ReadonlyMap<Unit, ServedUnit> {
  const units = new Map<Unit, ServedUnit>();
  for (const [unit, { stable, canary, lastGood }] of wanted) {
    const good = lastGood && !lacking.has(lastGood) ? lastGood : undefined;
    const held = lacking.has(stable) ? (before.get(unit)?.stable ?? good ?? others.get(unit)) : stable;
    if (!held) continue;
    units.set(unit, {
      stable: held,
      ...(held === stable && canary && !lacking.has(canary.release) && { canary }),
      ...(good && good !== held && { lastGood: good }),
    });
  }
  return units;
}

/** Knows what is served. Pages read it from memory; the database is read between requests. */
export interface Registry {
  snapshot: () => Snapshot;
  /** A release of any age; undefined when it was never published. */
  find: (unit: Unit, version: string) => Promise<Release | undefined>;
  /** Reads what is served again, if it has changed. A request that changes a channel calls it before its answer. */
  refresh: () => Promise<void>;
}

/**
 * @param inspect is given the releases that visitors can get, before any of them is served
 * @param obtain fetches their files, and returns those that it could not fetch: they are requested at each refresh
 */
export async function openRegistry(
  db: Db,
  inspect: (served: readonly Release[], isStart: boolean) => Promise<void> = () => Promise.resolve(),
  obtain: (served: readonly Release[], isStart: boolean) => Promise<ReadonlySet<ReleaseId>> = () =>
    Promise.resolve(new Set()),
): Promise<Registry> {
  const channels = createChannelsRepository(db);
  const releases = createReleasesRepository(db);
  const parsed = new Map<string, { release: Release; digest: string }>();
  let lacking: ReadonlySet<ReleaseId> = new Set();
  let current: Snapshot = { revision: -1, units: new Map(), unserved: [] };
  let reading: Promise<void> = Promise.resolve();
  const isStart = () => current.revision === -1;

  function parse(row: ReleaseRow): Release {
    const known = parsed.get(nameOf(row));
    if (known?.digest === row.digest) return known.release;

    const release = parseJson(releaseSchema, row.manifest);
    parsed.set(nameOf(row), { release, digest: row.digest });
    return release;
  }

  /** A version that was removed can be published again, with other files. */
  async function forgetRemoved(): Promise<void> {
    const digests = new Map((await releases.listDigests()).map((row) => [nameOf(row), row.digest]));
    for (const [key, { digest }] of parsed) if (digests.get(key) !== digest) parsed.delete(key);
  }

  async function find(unit: Unit, version: string): Promise<Release | undefined> {
    const known = parsed.get(nameOf({ unit, version }));
    if (known) return known.release;
    const row = await releases.find(unit, version);
    return row && parse(row);
  }

  /** The newest release of a unit that is here, was stable or was built here, and was not withdrawn. */
  async function findOther(unit: Unit): Promise<Release | undefined> {
    for (const row of await releases.list(unit)) {
      if (row.withdrawnAt !== null || (row.lastStableAt === null && row.publishedBy !== START_ACTOR)) continue;
      const release = parse(row);
      if ((await obtain([release], isStart())).size === 0) return release;
    }
    return undefined;
  }

  /** What was served until now, without the releases that were withdrawn since. */
  async function listBefore(): Promise<ReadonlyMap<Unit, ServedUnit>> {
    const before = new Map<Unit, ServedUnit>();
    for (const [unit, served] of current.units) {
      const row = await releases.find(unit, served.stable.version);
      if (row?.withdrawnAt === null) before.set(unit, served);
    }
    return before;
  }

  async function read(): Promise<void> {
    const revision = await channels.revision();
    if (revision === current.revision && lacking.size === 0) return;

    await forgetRemoved();
    const good = await releases.listLastGood();
    const units = new Map<Unit, ServedUnit>();
    for (const { unit, channel } of await channels.list()) {
      const stable = channel.stable === null ? undefined : await find(unit, channel.stable);
      if (!stable) continue;
      const canary = channel.canary === null ? undefined : await find(unit, channel.canary);
      const fallback = good.get(unit);
      const lastGood = fallback === undefined ? undefined : await find(unit, fallback);
      units.set(unit, {
        stable,
        ...(canary && { canary: { release: canary, share: channel.canaryShare ?? 0 } }),
        ...(lastGood && { lastGood }),
      });
    }
    const stillLacking = await obtain([...units.values()].flatMap(listServedReleases), isStart());
    if (revision === current.revision && stillLacking.size === lacking.size) return;
    const before = stillLacking.size > 0 ? await listBefore() : current.units;
    const others = new Map<Unit, Release>();
    for (const [unit, { stable, lastGood = stable }] of units) {
      if (before.has(unit) || ![stable, lastGood].every((release) => stillLacking.has(release))) continue;
      const other = await findOther(unit);
      if (other) others.set(unit, other);
    }
    const here = withoutReleases(stillLacking, units, before, others);
    await inspect([...here.values()].flatMap(listServedReleases), isStart());
    current = { revision, units: here, unserved: [...units.keys()].filter((unit) => !here.has(unit)) };
    lacking = stillLacking;
  }

  await read();
  return {
    snapshot: () => current,
    find,
    // Sequentially, so that a slow reading never takes the place of a newer one.
    refresh: () => (reading = reading.catch(() => undefined).then(read)),
  };
}

/** The units that `npm run dev` builds: read again for every page, because each edit changes them. */
export function readEditedUnits(folder: string): Registry {
  const read = () =>
    readdirSync(folder)
      .flatMap((unit) => readdirSync(join(folder, unit)).map((version) => join(folder, unit, version, 'release.json')))
      .flatMap((path) => {
        try {
          return [v.parse(releaseSchema, JSON.parse(readFileSync(path, 'utf8')))];
        } catch {
          return [];
        }
      })
      .sort((a, b) => Number(b.unit === SHELL) - Number(a.unit === SHELL));

  return {
    snapshot: () => ({
      revision: 0,
      unserved: [],
      units: new Map(read().map((release: Release): [string, ServedUnit] => [release.unit, { stable: release }])),
    }),
    find: (unit, version) =>
      Promise.resolve(read().find((release) => release.unit === unit && release.version === version)),
    refresh: () => Promise.resolve(),
  };
}
