import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import express from 'express';
import { expect, test } from 'vitest';
import type { Db } from '#api/db/schema.ts';
import { TEST_PEPPER } from '#api/test/create-test-api.ts';
import { describeEachDatabase } from '#api/test/describe-each-database.ts';
import { findDeadOrigin, listen } from '#api/test/listen.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { makeRelease, withServerBundle } from '#api/test/pack-release.ts';
import { SHELL_BUNDLE } from '#api/test/server-bundles.ts';
import { createPublishStage } from '#api/test/publish-stage.ts';
import { createObtainReleases } from './obtain-releases.ts';
import { createPeerSignature } from './peer-signature.ts';
import { peerRoutes } from './peer.routes.ts';
import { promoteReleases } from './promote-releases.ts';
import { openRegistry } from './registry.ts';
import { openReleaseStore } from './release-store.ts';

const PEPPER = 'p'.repeat(40);
const FILES = withServerBundle(makeRelease('tools', '0.2.0'), SHELL_BUNDLE);

/** A server that has published, and another one on the same database with a folder of its own. */
async function openTwo(db: Db) {
  const first = await createPublishStage(db);
  const signature = createPeerSignature(PEPPER, Date.now);
  const app = express().use('/api', peerRoutes({ folder: first.store.folder, registry: first.registry, signature }));
  const asked: string[] = [];
  let answer: RequestListener = app;
  const origin = await listen((req, res) => {
    asked.push(String(req.url));
    answer(req, res);
  });

  const told: { version: string; problem?: string }[] = [];
  const peers = [origin];
  const store = await openReleaseStore(join(makeFolder(), 'releases'));
  const obtaining = createObtainReleases({
    db,
    store,
    signature,
    listPeerUrls: () => Promise.resolve(peers),
    tell: (news) => told.push(news),
  });
  const promote = (version: string) => promoteReleases({ db }, [{ unit: 'tools', version }], { by: 'test', at: 1 });

  return {
    first,
    origin,
    peers,
    asked,
    told,
    store,
    obtaining,
    promote,
    app,
    /** Has the first server answer in another way. */
    answerWith: (other: RequestListener) => (answer = other),
    openRegistry: () => openRegistry(db, undefined, (served) => obtaining.obtain(served, 5000)),
  };
}

describeEachDatabase('releases that another server has', (db) => {
  test('every published release is fetched as it was published, once, with what visitors do not get', async () => {
    const { first, store, obtaining, asked, told } = await openTwo(db());
    await first.publish('tools', '0.2.0', FILES);

    await obtaining.turn();
    for (const [name, content] of FILES)
      expect(readFileSync(join(store.folder, 'tools/0.2.0', name)), name).toEqual(content);
    expect(await store.examine('tools', '0.2.0')).toEqual([]);
    expect(await store.examine('shell', '0.1.0')).toEqual([]);
    expect(readdirSync(join(store.folder, '.incoming'))).toEqual([]);
    expect(told.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined]);

    asked.length = 0;
    await obtaining.turn();
    expect(asked).toEqual([]);
  });

  test('until a release is here, visitors get what they got before, and then the release', async () => {
    const { first, peers, origin, openRegistry, promote } = await openTwo(db());
    const there = await openRegistry();
    const served = () => there.snapshot().units.get('tools')?.stable.version;
    expect(served()).toBe('0.1.0');

    await first.publish('tools', '0.2.0', FILES);
    peers[0] = await findDeadOrigin();
    await promote('0.2.0');
    await there.refresh();
    expect(served()).toBe('0.1.0');

    peers[0] = origin;
    await there.refresh();
    expect(served()).toBe('0.2.0');
  });

  test('a server that starts without the stable release serves the last good one, and without any the unit has no pages', async () => {
    const { first, peers, openRegistry, obtaining, promote } = await openTwo(db());
    const [, tools] = await Promise.all([
      obtaining.obtain([{ unit: 'shell', version: '0.1.0' }], 5000),
      first.publish('tools', '0.2.0', FILES),
    ]);
    expect(tools.status).toBe(201);
    await promote('0.2.0');
    const origin = String(peers.pop());

    expect([...(await openRegistry()).snapshot().units.keys()]).toEqual(['shell']);
    peers.push(origin);
    await obtaining.obtain([{ unit: 'tools', version: '0.1.0' }], 5000);
    peers.pop();
    expect((await openRegistry()).snapshot().units.get('tools')?.stable.version).toBe('0.1.0');
  });

  test.each([
    { what: 'another content', spoil: (body: Buffer) => Buffer.from(body).fill('x') },
    { what: 'more than was published', spoil: (body: Buffer) => Buffer.concat([body, Buffer.alloc(10_000, ' ')]) },
    { what: 'less than was published', spoil: (body: Buffer) => body.subarray(1) },
  ])(
    'threat 44: a server that sends $what is not believed, and what was right is not asked for again',
    async ({ spoil }) => {
      const { first, store, obtaining, answerWith, app, asked, told } = await openTwo(db());
      await first.publish('tools', '0.2.0', FILES);
      await obtaining.obtain(
        [
          { unit: 'shell', version: '0.1.0' },
          { unit: 'tools', version: '0.1.0' },
        ],
        5000,
      );
      told.length = 0;
      asked.length = 0;
      answerWith((req, res) => {
        const name = String(req.url).split('/0.2.0/')[1] ?? '';
        if (name === 'static/css/a.css') res.end(spoil(FILES.get(name) ?? Buffer.alloc(0)));
        else app(req, res);
      });

      await obtaining.turn();
      await obtaining.turn();
      expect(existsSync(join(store.folder, 'tools/0.2.0'))).toBe(false);
      expect(told).toHaveLength(1);
      expect(told[0]?.problem).toMatch(/a\.css is not what was published|More came than was published/);
      expect(asked.filter((path) => path.endsWith('remoteEntry.js'))).toHaveLength(1);

      answerWith(app);
      await obtaining.turn();
      expect(await store.examine('tools', '0.2.0')).toEqual([]);
    },
  );

  test('threat 44: a twin that breaks off spoils no later try, though the next server does not have that twin', async () => {
    const { first, store, obtaining, answerWith, app, told } = await openTwo(db());
    await first.publish('tools', '0.2.0', FILES);
    answerWith((req, res) => {
      if (String(req.url).endsWith('a.css.gz'))
        res.writeHead(200, { 'content-length': 1000 }).write('abc', () => res.destroy());
      else app(req, res);
    });
    await obtaining.turn();
    expect(told.some(({ problem }) => problem !== undefined)).toBe(true);

    answerWith(app);
    await obtaining.turn();
    expect(await store.examine('tools', '0.2.0')).toEqual([]);
  });

  test('files that do not make a release are fetched anew', async () => {
    const { first, store, obtaining, answerWith, app } = await openTwo(db());
    await first.publish('tools', '0.2.0', FILES);
    answerWith((req, res) => {
      const incoming = join(store.folder, '.incoming');
      for (const name of readdirSync(incoming)) writeFileSync(join(incoming, name, 'strange'), '');
      app(req, res);
    });
    await obtaining.turn();
    expect(existsSync(join(store.folder, 'tools/0.2.0'))).toBe(false);

    answerWith(app);
    await obtaining.turn();
    expect(await store.examine('tools', '0.2.0')).toEqual([]);
    expect(readdirSync(join(store.folder, '.incoming'))).toEqual([]);
  });

  test('threat 44: a list that is not the published one is not followed', async () => {
    const { first, store, obtaining, asked, told } = await openTwo(db());
    await first.publish('tools', '0.2.0', FILES);
    await db()
      .updateTable('release')
      .set((eb) => ({ manifest: eb.fn<string>('replace', ['manifest', eb.val('"bytes": '), eb.val('"bytes": 1')]) }))
      .execute();

    await obtaining.turn();
    expect(told.map(({ problem }) => problem)).toEqual(
      Array.from({ length: 3 }, () => expect.stringContaining('The list is not the published one') as string),
    );
    expect(asked).toEqual([]);
    expect(readdirSync(store.folder)).toEqual(['.incoming']);
  });

  test('threat 44: a server that promises and never sends holds nobody up', async () => {
    const { first, peers, obtaining } = await openTwo(db());
    await first.publish('tools', '0.2.0', FILES);
    peers[0] = await listen((_req, res) => res.writeHead(200).flushHeaders());

    const wanted = { unit: 'tools', version: '0.2.0' };
    expect(await obtaining.obtain([wanted], 50)).toEqual(new Set([wanted]));
  });

  test('the whole API sends a file to whoever has its pepper', async () => {
    const { first } = await openTwo(db());
    const path = '/api/peer/releases/tools/0.1.0/remoteEntry.js';
    const authorization = createPeerSignature(TEST_PEPPER, first.now).sign(path);

    const res = await first.ask(path, { headers: { authorization } });
    expect(await res.text()).toContain('tools 0.1.0');
    expect((await first.ask(path)).status).toBe(404);
  });

  test('threat 44: nobody but a server of this site gets a file there, and no server gets another file', async () => {
    const { origin } = await openTwo(db());
    const ours = createPeerSignature(PEPPER, Date.now);
    const path = '/api/peer/releases/tools/0.1.0/remoteEntry.js';
    const ask = async (address: string, authorization: string) =>
      (await fetch(origin + address, { headers: { authorization } })).status;

    expect(await ask(path, ours.sign(path))).toBe(200);
    expect(await ask(path, '')).toBe(404);
    expect(await ask(path, ours.sign(`${path}.br`))).toBe(404);
    expect(await ask(path, createPeerSignature('q'.repeat(40), Date.now).sign(path))).toBe(404);
    for (const minutes of [-6, 6])
      expect(await ask(path, createPeerSignature(PEPPER, () => Date.now() + minutes * 60_000).sign(path))).toBe(404);
    for (const file of [
      'release.json',
      'nothing.js',
      '..%2F..%2Fshell%2F0.1.0%2Fstatic%2Fjs%2Fshell.js',
      '%2Fetc%2Fpasswd',
      'constructor',
    ]) {
      const address = `/api/peer/releases/tools/0.1.0/${file}`;
      expect(await ask(address, ours.sign(address)), file).toBe(404);
    }
  });
});
