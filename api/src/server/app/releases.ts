import { join } from 'node:path';
import { SHELL } from '@app/contracts/release';
import type { Logger } from 'pino';
import { readSiteSettings } from '#api/product/site-settings.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { EnvError, type Env } from '#api/foundation/settings/env.ts';
import { readEditedUnits } from '#api/delivery/registry/edited-registry.ts';
import { createObtainReleases, tryObtained } from '#api/delivery/replication/obtain-releases.ts';
import { publishBuilt } from '#api/delivery/publishing/publish-built.ts';
import { openRegistry, type Registry } from '#api/delivery/registry/registry.ts';
import { createReleaseHealth, type ReleaseHealth } from '#api/delivery/store/release-health.ts';
import { openReleaseStore, type ReleaseStore } from '#api/delivery/store/release-store.ts';
import type { Prerendering } from '#api/delivery/rendering/prerendering.ts';
import { createOutageLog } from '#api/foundation/jobs/background-job.ts';
import { openPrerendering } from '#api/delivery/rendering/open-prerendering.ts';

/** How long pages may take to be rendered before a start goes on, and before a move of another process counts here. */
const RENDERING_MS = { start: 15_000, move: 500 };

/** How long a start, and a move, wait for the files of a release. */
const OBTAINING_MS = { start: 30_000, move: 5000 };

/** Without the shell there is no page, so the server does not start. Any other unit may be missing. */
const NO_SHELL = 'There is no release of the shell. Build one with “npm run build”, then start again.';

interface Opening {
  env: Env;
  db: Db;
  log: Logger;
  now: () => number;
  /** The folder of everything that the build makes. */
  builtDir: string;
}

interface OpenedReleases {
  store: ReleaseStore;
  registry: Registry;
  health: ReleaseHealth;
  /** Undefined while units are edited. */
  prerendering: Prerendering | undefined;
  /** Fetches published releases that this server lacks; undefined while units are edited. Never throws. */
  fetchMissing: (() => Promise<void>) | undefined;
}

/**
 * Opens the releases of this server: publishes what was built, fetches what it lacks, and renders.
 * @throws EnvError when there is no release of the shell
 */
export async function openReleases({ env, db, log, now, builtDir }: Opening): Promise<OpenedReleases> {
  const areEdited = env.DEV_UPDATES_URL !== undefined;
  const store = await openReleaseStore(env.RELEASES_DIR, env.RENDERED_DIR);
  if (!areEdited) await publishBuilt({ db, store, now, warn: (problem) => log.warn({ problem }, 'release') }, builtDir);
  const health = createReleaseHealth(store.folder, (found) =>
    found.damage === undefined
      ? log.info(found, 'the files of a release are right again')
      : log.error(found, 'a release is damaged'),
  );
  const obtaining = createObtainReleases({
    db,
    store,
    health,
    tell: (news) =>
      news.problem === undefined
        ? log.info(news, 'a release came from the database')
        : log.error(news, 'a release could not be fetched from the database'),
  });
  const rendering = openPrerendering(env, join(builtDir, 'api/render.js'), {
    releases: store,
    settings: readSiteSettings(env),
    warn: (problem) => log.warn(problem, 'pages were not rendered ahead of time'),
  });
  const prerendering = tryObtained(rendering, obtaining, OBTAINING_MS.move);
  let phase: 'start' | 'move' = 'start';
  const registry = areEdited
    ? readEditedUnits(builtDir)
    : await openRegistry(
        db,
        async (served) => {
          await health.inspect(served);
          await prerendering.prepare(served, RENDERING_MS[phase]);
        },
        (served) => obtaining.obtain(served, OBTAINING_MS[phase]),
      );
  phase = 'move';
  if (!registry.snapshot().units.has(SHELL)) throw new EnvError(NO_SHELL);

  const attempt = createOutageLog(log, {
    away: 'it is not known which releases this server lacks',
    back: 'it is known again which releases this server lacks',
  });
  const fetchMissing = areEdited ? undefined : () => attempt(obtaining.turn);
  return { store, registry, health, prerendering: areEdited ? undefined : prerendering, fetchMissing };
}
