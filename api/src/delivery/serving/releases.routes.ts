import { existsSync, realpathSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Release } from '@app/contracts/release';
import { Router } from 'express';
import { AppError } from '#api/foundation/http/app-error.ts';
import { openToEverySite } from '#api/foundation/http/headers.ts';
import { refuseToWrite } from '#api/foundation/http/only-methods.ts';
import { findNameProblem, isForServer } from '#api/delivery/store/release-files.ts';
import type { Registry } from '#api/delivery/registry/registry.ts';
import type { ReleaseHealth } from '#api/delivery/store/release-health.ts';
import { sendFile, type FileToSend } from './send-file.ts';

/** `/tools/0.1.0/static/js/a.js`: unit, version and the file's name within the release. */
const ADDRESS = /^\/([a-z][a-z0-9-]*)\/(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)\/(.+)$/;

type Listed = Release['files'][string];

/**
 * Serves the files that published releases list, except those for the server. Such a file never changes, so browsers
 * may keep it for a year. Pages of every site may load it: other hosts load units by their mf-manifest.json.
 * @param folder the folder of all releases
 * @param health says which of their files are damaged
 */
export function releasesRoutes(
  folder: string,
  registry: Pick<Registry, 'find'>,
  health?: Pick<ReleaseHealth, 'isSound'>,
): Router {
  const findListed = createFindListed(folder, registry);
  const router = Router();

  router.use('/releases', openToEverySite);
  router.use(
    filesRoutes(folder, async (unit, version, name) => {
      const listed = isForServer(name) ? undefined : await findListed(unit, version, name);
      return listed && { listed, isSound: health?.isSound };
    }),
  );
  return router;
}

/**
 * Serves what `npm run dev` builds. Names stay the same when a file is edited, so browsers revalidate each time. Files
 * that no release lists (hot updates) are served as well. Other sites cannot read them.
 */
export function editedRoutes(folder: string): Router {
  return filesRoutes(folder, (_unit, _version, name) =>
    Promise.resolve(findNameProblem(name) === undefined ? {} : undefined),
  );
}

type FindFile = (
  unit: string,
  version: string,
  name: string,
) => Promise<Pick<FileToSend, 'listed' | 'isSound'> | undefined>;

function filesRoutes(folder: string, find: FindFile): Router {
  const router = Router();
  const root = existsSync(folder) ? realpathSync(folder) : folder;

  router.use('/releases', refuseToWrite, async (req, res) => {
    const [, unit = '', version = '', name = ''] = ADDRESS.exec(req.path) ?? [];
    res.set('cache-control', 'no-store');
    const found = unit ? await find(unit, version, name) : undefined;
    if (!found) throw new AppError('route.not_found', 'No release has this file.');

    if (!(await sendFile(req, res, { root, name: join(unit, version, name), ...found })))
      throw new AppError('route.not_found', 'The release has lost this file.');
  });
  return router;
}

/**
 * Makes the function that finds a file in the list of its release. The registry keeps a release in memory once it was
 * found.
 */
function createFindListed(folder: string, registry: Pick<Registry, 'find'>) {
  const known = new Set<string>();

  return async (unit: string, version: string, name: string): Promise<Listed | undefined> => {
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
