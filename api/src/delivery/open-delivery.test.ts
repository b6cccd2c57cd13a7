import { existsSync, mkdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { startJobs } from '#api/foundation/module.ts';
import { parseEnv } from '#api/foundation/settings/env.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { makeRelease } from '#api/test/delivery/pack-release.ts';
import { SITE_SETTINGS } from '#api/test/delivery/site-settings.ts';
import { PRODUCTION } from '#api/test/production-settings.ts';
import { listen } from '#api/test/listen.ts';
import { makeFolder, writeFiles } from '#api/test/make-folder.ts';
import { openDelivery } from './open-delivery.ts';

/** Builds the shell and the unit `tools`. */
function build(): string {
  const builtDir = makeFolder();
  for (const unit of ['shell', 'tools']) writeFiles(join(builtDir, unit, '1.0.0'), makeRelease(unit, '1.0.0'));
  return builtDir;
}

/** Opens what a server delivers, with a data folder of its own. */
async function open({ site }: TestApi, builtDir: string, dataDir = makeFolder(), settings = {}) {
  const delivery = await openDelivery(site, {
    env: parseEnv({ ...settings, DATA_DIR: dataDir }),
    builtDir,
    picturesDir: makeFolder(),
    pages: SITE_SETTINGS,
    loadReportsPerMinute: 10,
  });
  const folder = join(dataDir, 'releases');
  const work = () => {
    for (const job of startJobs([delivery])) onTestFinished(() => job[Symbol.asyncDispose]());
  };
  return { delivery, folder, work };
}

test('a starting server publishes the local build, and without one fetches releases from the database', async () => {
  const api = await createTestApi();
  const first = await open(api, build());
  expect(first.delivery.unserved()).toEqual([]);
  expect(existsSync(join(first.folder, 'tools/1.0.0/release.json'))).toBe(true);
  // A server of the previous release stored no archives.
  await api.db.deleteFrom('releasePiece').execute();
  const pieces = () => api.db.selectFrom('releasePiece').select('unit').distinct().orderBy('unit').execute();

  first.work();
  await expect.poll(pieces).toEqual([{ unit: 'shell' }, { unit: 'tools' }]);
  const second = await open(api, makeFolder());

  expect(second.delivery.unserved()).toEqual([]);
  expect(existsSync(join(second.folder, 'tools/1.0.0/release.json'))).toBe(true);
});

test('files damaged while the server was down are detected at startup', async () => {
  const api = await createTestApi();
  const builtDir = build();
  const dataDir = makeFolder();
  const { folder } = await open(api, builtDir, dataDir);
  rmSync(join(builtDir, 'tools'), { recursive: true });
  for (const ending of ['', '.br', '.gz']) rmSync(join(folder, `tools/1.0.0/remoteEntry.js${ending}`));

  await open(api, builtDir, dataDir);

  expect(api.logged.join()).toContain('remoteEntry.js is gone');
});

test('leftovers of killed publications are removed in the background', async () => {
  const { folder, work } = await open(await createTestApi(), build());
  const left = join(folder, '.incoming/left');
  mkdirSync(left);
  utimesSync(left, 0, 0);

  work();

  await expect.poll(() => existsSync(left)).toBe(false);
});

test.each([
  { where: 'a site with visitors', settings: PRODUCTION, access: false },
  { where: 'a machine for development', settings: {}, access: true },
])('a browser without the access key may pin on $where: $access', async ({ settings, access }) => {
  const { delivery } = await open(await createTestApi(), build(), makeFolder(), settings);
  const origin = await listen(express().use(...(delivery.routes.site ?? [])));

  expect(await (await fetch(`${origin}/api/qa/pins`)).json()).toEqual({ access, session: null });
});

test('in development edited units are served from their build folders, and pages may subscribe to builds', async () => {
  const settings = { DEV_UPDATES_URL: 'ws://127.0.0.1:4000' };
  const { delivery } = await open(await createTestApi(), build(), makeFolder(), settings);
  const origin = await listen(express().use(...(delivery.routes.files ?? [])));

  expect((await fetch(`${origin}/releases/tools/1.0.0/remoteEntry.js`)).status).toBe(200);
  expect(delivery.policy).toMatchObject({ updatesUrl: settings.DEV_UPDATES_URL });
});
