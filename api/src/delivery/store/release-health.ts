import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Release } from '@app/contracts/release';
import pLimit from 'p-limit';
import { isForServer, PRECOMPRESSED_VARIANTS } from './release-files.ts';
import { MAX_CONCURRENT_FILES, type IsListedFile, isListedFile } from './staged-release.ts';

/** How many files a turn checks: all files of a usual site within ten seconds, without noticeable load. */
const FILES_PER_TURN = 12;

const EXTENSIONS = ['', ...Object.keys(PRECOMPRESSED_VARIANTS)];

type FileStats = Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'> | undefined;

export type ReleaseHealth = ReturnType<typeof createReleaseHealth>;

interface FileVariant {
  /** `<unit>/<version>/<file>`, with the ending of the variant. */
  path: string;
  ending: string;
  listed: Release['files'][string] | undefined;
}

interface WatchedRelease {
  release: Release;
  name: string;
}

/** A file is damaged when no form (plain, brotli, gzip) is right. It is read again only when its `stat` changes. */
export function createReleaseHealth(
  folder: string,
  report: (found: { unit: string; version: string; damage?: string }) => void,
) {
  /** The result of the last reading of each form of a file. */
  const forms = new Map<string, { mark: string; isRight: boolean }>();
  const watched = new Map<string, Map<string, string>>();
  let files: WatchedRelease[] = [];
  let next = 0;
  let revision = 0;
  let checking: Promise<void> | undefined;

  async function isFormRight({ release, name }: WatchedRelease, ending: string): Promise<boolean> {
    const path = pathOf(release, name + ending);
    const mark = fingerprintOf(await stat(join(folder, path)).catch(() => undefined));
    const known = forms.get(path);
    return (known?.mark === mark && known.isRight) || readForm({ path, ending, listed: release.files[name] }, mark);
  }

  async function readForm({ path, ending, listed }: FileVariant, mark: string): Promise<boolean> {
    const isRight = mark !== MISSING_FINGERPRINT && (await isListedFile(join(folder, path), listed, ending));
    forms.set(path, { mark, isRight });
    return isRight;
  }

  /** Checks all forms of a file, also if the first one is right: none that is wrong may be sent. */
  async function check(file: WatchedRelease): Promise<void> {
    const right = [];
    for (const ending of EXTENSIONS) right.push(await isFormRight(file, ending));

    const { release, name } = file;
    const isGone = forms.get(pathOf(release, name))?.mark === MISSING_FINGERPRINT;
    judge(file, right.includes(true) ? undefined : `${name} is ${isGone ? 'gone' : 'not what was published'}`);
  }

  function judge({ release, name }: WatchedRelease, damage: string | undefined): void {
    const { unit, version } = release;
    const found = watched.get(pathOf(release));
    if (!found || found.get(name) === damage) return;

    const wasDamaged = found.size > 0;
    if (damage === undefined) found.delete(name);
    else found.set(name, damage);
    revision += 1;
    if (found.size === 0) report({ unit, version });
    else if (!wasDamaged && damage !== undefined) report({ unit, version, damage });
  }

  function watch(served: readonly Release[]): WatchedRelease[] {
    const names = new Set(served.map((release) => pathOf(release)));
    for (const name of watched.keys()) if (!names.has(name)) watched.delete(name);
    for (const path of forms.keys()) if (!names.has(path.split('/', 2).join('/'))) forms.delete(path);
    const fresh = served.filter((release) => !watched.has(pathOf(release)));
    for (const release of fresh) watched.set(pathOf(release), new Map());
    files = served.flatMap(listFiles);
    return fresh.flatMap(listFiles);
  }

  async function isSound(form: FileVariant, seen: FileStats): Promise<boolean> {
    const known = forms.get(form.path);
    const mark = fingerprintOf(seen);
    if (known?.mark === mark) return known.isRight;

    const file = files.find(({ release, name }) => form.path === pathOf(release, name + form.ending));
    if (file) checking ??= check(file).finally(() => (checking = undefined));
    return readForm(form, mark);
  }

  const isListed: IsListedFile = async (path, listed, ending = '') =>
    isSound({ path: relative(folder, path), ending, listed }, await stat(path).catch(() => undefined));

  const isDamaged = ({ release, name }: WatchedRelease) => watched.get(pathOf(release))?.has(name) === true;

  return {
    /** Checks the files of releases that will be served. From then on these are watched, and no others. */
    async inspect(this: void, served: readonly Release[]): Promise<void> {
      await pLimit(MAX_CONCURRENT_FILES).map(watch(served), check);
    },

    findDamage: (release: Pick<Release, 'unit' | 'version'>): string | undefined =>
      watched.get(pathOf(release))?.values().next().value,

    /** Changes whenever a release becomes damaged, or whole again. */
    revision: () => revision,

    /** Whether a form of a file, of any release, has the published content. It is read unless that is known. */
    isSound,

    /** The same of a path. A start examines releases, and does not read them again when they are then served. */
    isListed,

    async turn(this: void): Promise<void> {
      const damaged = files.filter(isDamaged).slice(0, FILES_PER_TURN);
      const others = Array.from({ length: Math.min(FILES_PER_TURN, files.length) }, () => files[next++ % files.length]);
      for (const file of new Set([...damaged, ...others])) if (file) await check(file);
    },
  };
}

const MISSING_FINGERPRINT = '';

function fingerprintOf(seen: FileStats): string {
  return seen ? [seen.size, seen.mtimeMs, seen.ctimeMs, seen.ino].join() : MISSING_FINGERPRINT;
}

function pathOf({ unit, version }: Pick<Release, 'unit' | 'version'>, name?: string): string {
  return name === undefined ? `${unit}/${version}` : `${unit}/${version}/${name}`;
}

function listFiles(release: Release): WatchedRelease[] {
  return Object.keys(release.files)
    .filter((name) => !isForServer(name))
    .map((name) => ({ release, name }));
}
