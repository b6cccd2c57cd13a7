import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseEnv } from '#api/foundation/settings/env.ts';
import { openReleaseStore } from '#api/delivery/store/release-store.ts';
import { openPrerendering } from '#api/delivery/rendering/prerendering.ts';
import { readSiteSettings } from '#api/product/product-settings.ts';
import { OpsError } from '#api/ops/command.ts';
import { openOps } from '#api/ops/open-ops.ts';
import { startProgram } from '#api/ops/command-line.ts';
import { findIdToken } from './remote-site.ts';
import { runRelease } from './run-release.ts';

/** Builds the release of a unit: `node <script> <unit> <folder>` prints the folder of the release. */
const BUILD_SCRIPT = 'scripts/build-release.ts';

async function openMachine() {
  const env = parseEnv(process.env);
  const { db, now, user, close } = await openOps(env);
  try {
    const store = await openReleaseStore(env.RELEASES_DIR, env.RENDERED_DIR);
    // The command's answer names the problem, and the server logs it.
    const prerendering = openPrerendering(env, import.meta.dirname, {
      releases: store,
      settings: readSiteSettings(env),
      warn: () => undefined,
    });
    return { db, store, prerendering, now, user, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function build<Result>(
  unit: string,
  use: (folder: string) => Promise<Result>,
  isPreview: boolean,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  try {
    const child = spawn(process.execPath, [resolve(BUILD_SCRIPT), unit, folder, ...(isPreview ? ['--preview'] : [])], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number | null]>]);
    if (code !== 0) throw new OpsError('Nothing was published.');
    return await use(printed.trim());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

startProgram((argv, output) =>
  runRelease(argv, {
    open: openMachine,
    token: () => process.env['RELEASE_TOKEN'] || findIdToken(process.env),
    build,
    ...output,
  }),
);
