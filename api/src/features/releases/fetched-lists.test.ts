import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import { expect, test } from 'vitest';
import type { Db } from '#api/db/schema.ts';
import { describeEachDatabase } from '#api/test/describe-each-database.ts';
import { listen } from '#api/test/listen.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { createPublishStage } from '#api/test/publish-stage.ts';
import { createObtainReleases } from './obtain-releases.ts';
import { createPeerSignature } from './peer-signature.ts';
import { peerRoutes } from './peer.routes.ts';
import { openReleaseStore } from './release-store.ts';

const WANTED = { unit: 'tools', version: '0.1.0' };

/** A server without releases beside one that has published, and helpers that change what the database lists. */
async function openSecond(db: Db) {
  const first = await createPublishStage(db);
  const signature = createPeerSignature('p'.repeat(40), Date.now);
  const app = express().use('/api', peerRoutes({ folder: first.store.folder, registry: first.registry, signature }));
  const asked: string[] = [];
  const origin = await listen((req, res) => {
    asked.push(String(req.url));
    app(req, res);
  });
  const store = await openReleaseStore(join(makeFolder(), 'releases'));
  const problems: (string | undefined)[] = [];
  const open = () =>
    createObtainReleases({
      db,
      store,
      signature,
      listPeerUrls: () => Promise.resolve([origin]),
      tell: ({ problem }) => problems.push(problem),
    });
  const rows = () => db.selectFrom('release').selectAll().where('unit', '=', 'tools');
  return {
    asked,
    problems,
    open,
    obtaining: open(),
    readList: () => readFileSync(join(store.folder, 'tools/0.1.0/release.json'), 'utf8'),
    changeList: async (change: (manifest: string) => string) => {
      const manifest = change((await rows().executeTakeFirstOrThrow()).manifest);
      const digest = createHash('sha256').update(manifest).digest('hex');
      await db.updateTable('release').set({ manifest, digest }).where('unit', '=', 'tools').execute();
      return manifest;
    },
  };
}

describeEachDatabase('the list of a release that another server has', (db) => {
  test('a release that is asked for twice at once is fetched once', async () => {
    const { obtaining, asked } = await openSecond(db());

    const lacking = await Promise.all([obtaining.obtain([WANTED], 5000), obtaining.obtain([WANTED], 5000)]);

    expect(lacking).toEqual([new Set(), new Set()]);
    expect(new Set(asked).size).toBe(asked.length);
  });

  test('what is here under the name of a release with another list is fetched anew, also after a restart', async () => {
    const { obtaining, open, changeList, readList } = await openSecond(db());
    await obtaining.obtain([WANTED], 5000);

    for (const server of [obtaining, open()]) {
      const manifest = await changeList((before) => `${before}\n`);
      expect(await server.obtain([WANTED], 5000)).toEqual(new Set());
      expect(readList()).toBe(manifest);
    }
  });

  test('threat 44: a name that leads out of the folder of the release is not followed, also where the list is the published one', async () => {
    const { obtaining, changeList, asked, problems } = await openSecond(db());
    await changeList((before) => before.replace(/"files":\s*\{/, '$&"../../outside.js":{"sha384":"x","bytes":1},'));

    expect(await obtaining.obtain([WANTED], 5000)).toEqual(new Set([WANTED]));
    expect(asked).toEqual([]);
    expect(problems).toEqual([expect.stringContaining('../../outside.js')]);
  });
});
