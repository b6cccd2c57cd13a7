import { PACKS_FOLDER, type Packs } from '@app/contracts/packs';
import { HASHED_NAME, releaseSchema, releaseUrl } from '@app/contracts/release';
import { SHELL } from '@app/contracts/unit';
import { toJsonSchema } from '@valibot/to-json-schema';
import { Router } from 'express';
import { AppError } from '#api/foundation/http/app-error.ts';
import { onlyRead } from '#api/foundation/http/only-methods.ts';
import type { Registry } from '#api/delivery/registry/registry.ts';

/** `packs/platform.1a2b3c4d.tgz` is a tarball of `@app/platform`. */
const PACK_PATTERN = new RegExp(`^${PACKS_FOLDER}/([a-z][a-z-]*)\\.[0-9a-f]{8}\\.tgz$`);

/** What a `release.json` has to be, for teams that write it themselves. */
const RELEASE_SCHEMA = JSON.stringify(toJsonSchema(releaseSchema, { target: 'draft-2020-12', typeMode: 'input' }));

/** Packages for units elsewhere, of the stable shell. Each address stands for one content, as lock files need. */
export function packsRoutes({ registry }: { registry: Pick<Registry, 'snapshot'> }): Router {
  const router = Router();

  /** The address of each pack, by its name without `@app/`. */
  function listPacks(): Map<string, string> {
    const shell = registry.snapshot().units.get(SHELL)?.stable;
    return new Map(
      Object.keys(shell?.files ?? {}).flatMap((file) => {
        const [, name] = PACK_PATTERN.exec(file) ?? [];
        return shell && name && HASHED_NAME.test(file) ? [[name, releaseUrl(shell, file)] as const] : [];
      }),
    );
  }

  router.get('/packs', (_req, res) => {
    const packs: Packs = Object.fromEntries([...listPacks()].map(([name, address]) => [`@app/${name}`, address]));
    res.set('cache-control', 'no-cache').json({ packs });
  });
  router.get('/packs/release.schema.json', (_req, res) => {
    res.set('cache-control', 'no-cache').type('application/schema+json').send(RELEASE_SCHEMA);
  });
  // For npx, which asks for the tool before there is a package.json with its address.
  router.get('/packs/:file', (req, res) => {
    const address = listPacks().get(req.params.file.replace(/\.tgz$/, ''));
    if (address === undefined) throw new AppError('route.not_found', 'The shell has no such pack.');
    res.set('cache-control', 'no-cache').redirect(302, address);
  });
  router.all(['/packs', '/packs/:file'], onlyRead);

  return router;
}
