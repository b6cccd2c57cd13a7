import { existsSync, realpathSync } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HASHED_NAME, type Release } from '@app/contracts/release';
import { Router } from 'express';
import { AppError } from '#api/foundation/http/app-error.ts';
import { allowAnyOrigin } from '#api/foundation/http/headers.ts';
import { refuseToWrite } from '#api/foundation/http/only-methods.ts';
import { findNameProblem, isForServer } from '#api/delivery/store/release-files.ts';
import type { Registry } from '#api/delivery/registry/registry.ts';
import type { ReleaseHealth } from '#api/delivery/store/release-health.ts';
import { sendFile } from './send-file.ts';

/** `/tools/0.1.0/static/js/a.js`: unit, version and the file's name within the release. Hashed names need no version. */
const ADDRESS_PATTERN = /^\/([a-z][a-z0-9-]*)\/(?:(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)\/)?(.+)$/;

type ListedFile = Release['files'][string];

export interface Candidate {
  version: string;
  listed?: ListedFile;
}

/** Finds the files that an address may stand for, the best first. `named`: the version, if the address names one. */
type FindFile = (
  unit: string,
  named: string | undefined,
  name: string,
) => AsyncIterable<Candidate> | Iterable<Candidate>;

export function readAddress(path: string): Parameters<FindFile> | undefined {
  const [, unit, named, name] = ADDRESS_PATTERN.exec(path) ?? [];
  return unit && name ? [unit, named, name] : undefined;
}

/** The files that releases list, not those for the server. Every site may load them: other hosts load our units. */
export function releasesRoutes(
  folder: string,
  registry: Pick<Registry, 'find' | 'snapshot'>,
  health?: Pick<ReleaseHealth, 'isSound'>,
): Router {
  const router = Router();
  router.use('/releases', allowAnyOrigin);
  router.use(filesRoutes(folder, createFindFile(folder, registry), health));
  return router;
}

/** Makes the function that finds the releases which list a file: those that are served, then one that was found before. */
export function createFindFile(folder: string, registry: Pick<Registry, 'find' | 'snapshot'>): FindFile {
  const findListed = createReleaseLookup(folder, registry);
  const holders = new Map<string, string>();

  async function* listVersions(unit: string, name: string): AsyncGenerator<string> {
    if (!HASHED_NAME.test(name)) return;
    const { stable, canary } = registry.snapshot().units.get(unit) ?? {};
    const first = [stable?.version, canary?.release.version, holders.get(`${unit}/${name}`)];
    for (const version of first) if (version) yield version;
    for (const version of await readdir(join(folder, unit)).catch(() => []))
      if (!first.includes(version)) yield version;
  }

  return async function* (unit, named, name) {
    if (isForServer(name)) return;
    for await (const version of named ? [named] : listVersions(unit, name)) {
      const listed = await findListed(unit, version, name);
      if (!listed) continue;
      if (!named) holders.set(`${unit}/${name}`, version);
      yield { version, listed };
    }
  };
}

/** What `npm run dev` builds, also what no release lists (hot updates). Names stay, so browsers revalidate. */
export function editedRoutes(folder: string): Router {
  return filesRoutes(folder, function* (_unit, version, name) {
    if (version && findNameProblem(name) === undefined) yield { version };
  });
}

function filesRoutes(folder: string, find: FindFile, health?: Pick<ReleaseHealth, 'isSound'>): Router {
  const router = Router();
  const root = existsSync(folder) ? realpathSync(folder) : folder;

  router.use('/releases', refuseToWrite, async (req, res) => {
    const address = readAddress(req.path);
    res.set('cache-control', 'no-store');
    let isListed = false;
    if (address)
      for await (const { version, listed } of find(...address)) {
        isListed = true;
        const [unit, , name] = address;
        const file = { root, name: join(unit, version, name), listed, isSound: health?.isSound };
        if (await sendFile(req, res, file)) return;
      }
    throw new AppError('route.not_found', isListed ? 'The release has lost this file.' : 'No release has this file.');
  });
  return router;
}

function createReleaseLookup(folder: string, registry: Pick<Registry, 'find'>) {
  const known = new Set<string>();

  return async (unit: string, version: string, name: string): Promise<ListedFile | undefined> => {
    const path = join(folder, unit, version);
    // Requests for invented versions do not reach the database.
    const isKept =
      known.has(path) ||
      (await access(path).then(
        () => true,
        () => false,
      ));
    const release = isKept ? await registry.find(unit, version) : undefined;
    if (!release) {
      known.delete(path);
      return undefined;
    }

    known.add(path);
    return Object.hasOwn(release.files, name) ? release.files[name] : undefined;
  };
}
