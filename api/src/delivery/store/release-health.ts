import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Release } from '@app/contracts/release';
import pLimit from 'p-limit';
import { isForServer, PRECOMPRESSED_VARIANTS } from './release-files.ts';
import { FILES_AT_ONCE, isListedFile } from './staged-release.ts';

/** How many files a turn looks at: all files of a usual site within ten seconds, without work that anybody notices. */
const FILES_IN_A_TURN = 12;

/** A file as it was published, or as one of its compressed twins. */
const ENDINGS = ['', ...Object.keys(PRECOMPRESSED_VARIANTS)];

type Seen = Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'> | undefined;

/** Knows which releases on the disk are no longer what was published. */
export interface ReleaseHealth {
  /** Looks at the files of releases that are going to be served. From then on these are watched, and no others. */
  inspect: (served: readonly Release[]) => Promise<void>;
  /** What is wrong with a release; undefined when nothing is known. */
  findDamage: (release: Pick<Release, 'unit' | 'version'>) => string | undefined;
  /** Changes whenever a release is damaged or right again. */
  revision: () => number;
  /**
   * Whether a form of a file may be sent.
   * @param path `<unit>/<version>/<file>`, with the ending of a compressed twin
   * @param seen what the file system says of it; undefined when it is gone
   */
  isSound: (path: string, seen: Seen) => boolean;
  /** Looks at damaged files and at some others. */
  turn: () => Promise<void>;
}

interface Watched {
  release: Release;
  name: string;
}

/**
 * Watches the files of the releases that are served. A file is damaged when none of its forms (plain, brotli, gzip) is
 * what was published. Its content is read again only where size, times or inode have changed.
 * @param folder the folder of all releases
 * @param tell called when a release is found damaged, and without damage when it is right again
 */
export function createReleaseHealth(
  folder: string,
  tell: (found: { unit: string; version: string; damage?: string }) => void,
): ReleaseHealth {
  /** What was found when a form of a file was read last. */
  const forms = new Map<string, { mark: string; isRight: boolean }>();
  /** What is wrong, by file, of each watched release. */
  const watched = new Map<string, Map<string, string>>();
  let files: Watched[] = [];
  let next = 0;
  let revision = 0;
  let looking: Promise<void> | undefined;

  async function isFormRight({ release, name }: Watched, ending: string): Promise<boolean> {
    const path = pathOf(release, name + ending);
    const mark = markOf(await stat(join(folder, path)).catch(() => undefined));
    const known = forms.get(path);
    if (known?.mark === mark && known.isRight) return true;

    const isRight =
      mark !== GONE &&
      (await isListedFile(join(folder, path), release.files[name], PRECOMPRESSED_VARIANTS[ending]?.()));
    forms.set(path, { mark, isRight });
    return isRight;
  }

  /** Looks at all forms of a file, also if the first one is right: none that is wrong may be sent. */
  async function look(file: Watched): Promise<void> {
    const right = [];
    for (const ending of ENDINGS) right.push(await isFormRight(file, ending));

    const { release, name } = file;
    const isGone = forms.get(pathOf(release, name))?.mark === GONE;
    judge(file, right.includes(true) ? undefined : `${name} is ${isGone ? 'gone' : 'not what was published'}`);
  }

  function judge({ release, name }: Watched, damage: string | undefined): void {
    const { unit, version } = release;
    const found = watched.get(pathOf(release));
    if (!found || found.get(name) === damage) return;

    const wasDamaged = found.size > 0;
    if (damage === undefined) found.delete(name);
    else found.set(name, damage);
    revision += 1;
    if (found.size === 0) tell({ unit, version });
    else if (!wasDamaged && damage !== undefined) tell({ unit, version, damage });
  }

  function watch(served: readonly Release[]): Watched[] {
    const names = new Set(served.map((release) => pathOf(release)));
    for (const name of watched.keys()) if (!names.has(name)) watched.delete(name);
    for (const path of forms.keys()) if (!names.has(path.split('/', 2).join('/'))) forms.delete(path);
    const fresh = served.filter((release) => !watched.has(pathOf(release)));
    for (const release of fresh) watched.set(pathOf(release), new Map());
    files = served.flatMap(listFiles);
    return fresh.flatMap(listFiles);
  }

  const isDamaged = ({ release, name }: Watched) => watched.get(pathOf(release))?.has(name) === true;

  async function lookAtSome(): Promise<void> {
    const damaged = files.filter(isDamaged).slice(0, FILES_IN_A_TURN);
    const others = Array.from({ length: Math.min(FILES_IN_A_TURN, files.length) }, () => files[next++ % files.length]);
    for (const file of new Set([...damaged, ...others])) if (file) await look(file);
  }

  return {
    async inspect(served) {
      await pLimit(FILES_AT_ONCE).map(watch(served), look);
    },

    findDamage: (release) => watched.get(pathOf(release))?.values().next().value,

    revision: () => revision,

    isSound(path, seen) {
      const known = forms.get(path);
      if (!known) return true;
      const isSame = known.mark === markOf(seen);
      if (!isSame) {
        // Forgotten, so that it is read again; until then it is not sent.
        forms.set(path, { ...known, isRight: false });
        const file = files.find(({ release, name }) =>
          ENDINGS.some((ending) => path === pathOf(release, name + ending)),
        );
        if (file) looking ??= look(file).finally(() => (looking = undefined));
      }
      return isSame && known.isRight;
    },

    turn: lookAtSome,
  };
}

const GONE = '';

function markOf(seen: Seen): string {
  return seen ? [seen.size, seen.mtimeMs, seen.ctimeMs, seen.ino].join() : GONE;
}

function pathOf({ unit, version }: Pick<Release, 'unit' | 'version'>, name?: string): string {
  return name === undefined ? `${unit}/${version}` : `${unit}/${version}/${name}`;
}

function listFiles(release: Release): Watched[] {
  return Object.keys(release.files)
    .filter((name) => !isForServer(name))
    .map((name) => ({ release, name }));
}
