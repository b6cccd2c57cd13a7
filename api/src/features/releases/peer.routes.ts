import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { unitSchema, versionSchema, type Release } from '@app/contracts/release';
import { Router } from 'express';
import * as v from 'valibot';
import { AppError } from '#api/http/app-error.ts';
import { onlyRead } from '#api/http/only-methods.ts';
import type { PeerSignature } from './peer-signature.ts';
import type { Registry } from './registry.ts';
import { isWithin } from './send-file.ts';
import { TWINS } from './twins.ts';

const PATH = '/peer/releases/:unit/:version/*file';

const namesSchema = v.object({ unit: unitSchema, version: versionSchema, file: v.array(v.string()) });

interface Deps {
  /** The folder of all releases. */
  folder: string;
  registry: Pick<Registry, 'find'>;
  signature: Pick<PeerSignature, 'isSigned'>;
}

/**
 * The call by which another server of this site fetches the files of a published release: those that its list names,
 * with those that visitors do not get, and their compressed twins. Whoever else asks learns nothing.
 */
export function peerRoutes({ folder, registry, signature }: Deps): Router {
  const router = Router();

  router.get(PATH, async (req, res) => {
    const names = v.safeParse(namesSchema, req.params);
    if (!names.success || !signature.isSigned(req.get('authorization'), req.originalUrl)) throw notFound();

    const { unit, version, file } = names.output;
    const name = file.join('/');
    const release = await registry.find(unit, version);
    const form = join(unit, version, name);
    if (!release || !isOf(release, name) || !(await isWithin(folder, form).catch(() => false))) throw notFound();

    const path = join(folder, form);
    const found = await stat(path);
    if (!found.isFile()) throw notFound();
    res.set({ 'content-type': 'application/octet-stream', 'content-length': String(found.size) });
    if (req.method === 'HEAD') return void res.end();
    // The one that asks has gone, or the file is broken: the connection ends before the promised length.
    await pipeline(createReadStream(path), res).catch(() => res.destroy());
  });
  router.all(PATH, onlyRead);

  return router;
}

/** Whether a name is that of a file that the release lists, or of a compressed twin. */
function isOf({ files }: Release, name: string): boolean {
  return ['', ...Object.keys(TWINS)].some(
    (ending) => name.endsWith(ending) && Object.hasOwn(files, name.slice(0, name.length - ending.length)),
  );
}

function notFound(): AppError {
  return new AppError('route.not_found', 'No release has this file.');
}
