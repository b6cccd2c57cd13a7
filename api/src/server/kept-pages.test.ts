import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startNginx } from '../../../tools/cluster/nginx.ts';
import { ensurePackages } from '../../../tools/machine/ensure-installed.ts';
import { haltCanary, openCanary, promoteReleases } from '#api/delivery/channels/channel-changes.ts';
import { FAILED_SHELL_COOKIE } from '@app/contracts/page-reports';
import { listen } from '#api/test/listen.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { buildRoute } from '#api/test/delivery/build-release.ts';
import { makeRelease } from '#api/test/delivery/pack-release.ts';
import { createPublishFixture } from '#api/test/delivery/publish-fixture.ts';
import { freePort } from '../../../tools/machine/free-port.ts';

const PAGE = '/portfolio';
const CANARY = '0.2.0';
const entryPath = (version: string) => `/releases/tools/${version}/remoteEntry.js`;

/** A site behind the nginx of `deploy/`, with a second release of the unit that has its page. */
async function openBehindNginx() {
  await ensurePackages('nginx-light');
  const site = await createPublishFixture();
  await site.publish('tools', CANARY, makeRelease('tools', CANARY, { routes: [buildRoute(PAGE)] }));
  const asked: string[] = [];
  const origin = await listen((req, res) => {
    asked.push(req.url ?? '');
    site.app(req, res);
  });
  const port = await freePort();
  const nginx = await startNginx(makeFolder(), port, [Number(new URL(origin).port)]);
  onTestFinished(() => nginx.stop());
  const act = () => ({ by: 'olga', at: site.now() });

  async function send(path: string, headers: Record<string, string> = {}) {
    const asking = request({ host: '127.0.0.1', port, path, headers, agent: false }).end();
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
  }
  return {
    ...site,
    send,
    /** Sends a request so often that what may be kept is kept. Returns whether it was. */
    isKept: async (path: string, headers?: Record<string, string>): Promise<boolean> => {
      const before = asked.length;
      for (let times = 0; times < 4; times++) await send(path, headers);
      return asked.length - before < 4;
    },
    openCanary: async (percent: number) => {
      await openCanary(site, 'tools', { version: CANARY, percent }, act());
      await site.followRegistry();
    },
    endCanary: async () => {
      await haltCanary(site, 'tools', { reason: 'the test ends it' }, act());
      await site.followRegistry();
    },
    versionIn: (document: string) => /"tools":\{"version":"([^"]+)"/.exec(document)?.[1],
  };
}

/** What browsers ask for with https, and without. */
const BROTLI_CODINGS = 'gzip, deflate, br, zstd';
const GZIP_CODINGS = 'gzip, deflate';

test('threat 58: a page and its files are cached, API calls are not', async () => {
  const { isKept } = await openBehindNginx();

  expect(await isKept(PAGE)).toBe(true);
  expect(await isKept(PAGE, { 'accept-encoding': BROTLI_CODINGS })).toBe(true);
  expect(await isKept(entryPath('0.1.0'))).toBe(true);
  expect(await isKept('/releases/tools/0.1.0/none.js')).toBe(false);
  expect(await isKept('/nowhere')).toBe(false);
  expect(await isKept('/api/federation/resolution')).toBe(false);
});

test('threat 58: cached responses respect content coding, range and conditional requests', async () => {
  const { isKept, send } = await openBehindNginx();
  for (const coding of [BROTLI_CODINGS, GZIP_CODINGS])
    expect(await isKept(PAGE, { 'accept-encoding': coding })).toBe(true);
  await isKept(entryPath('0.1.0'));

  const codings = [BROTLI_CODINGS, GZIP_CODINGS, 'br', 'identity', 'br;q=0, gzip'].map(async (coding) => {
    const { headers } = await send(PAGE, { 'accept-encoding': coding });
    return headers['content-encoding'];
  });
  expect(await Promise.all(codings)).toEqual(['br', 'gzip', 'br', undefined, 'gzip']);
  const whole = await send(entryPath('0.1.0'));
  const part = await send(entryPath('0.1.0'), { range: 'bytes=2-5' });
  expect([part.status, part.text]).toEqual([206, whole.text.slice(2, 6)]);
  const { status } = await send(entryPath('0.1.0'), { 'if-none-match': whole.headers.etag ?? '' });
  expect(status).toBe(304);
  expect(whole.headers['cache-control']).toBe('public, max-age=31536000, immutable');
});

test('threat 58: a page that sets a cookie, or is for one browser, is not cached', async () => {
  const { isKept } = await openBehindNginx();

  expect(await isKept(`${PAGE}?lang=en`)).toBe(false);
  expect(await isKept(PAGE, { cookie: `${FAILED_SHELL_COOKIE}=0.1.0` })).toBe(false);
  expect(await isKept(PAGE, { cookie: '__Host-pin=x' })).toBe(false);
});

test('threat 58: while a canary is open each visitor gets the assigned release, and is counted', async () => {
  const { isKept, openCanary, send, versionIn, db, followRegistry, endCanary } = await openBehindNginx();
  await isKept(PAGE);
  await openCanary(50);
  // What was kept before is asked for again within a second.
  await expect.poll(async () => (await send(PAGE)).headers['set-cookie']).toHaveLength(1);

  const sides: (string | undefined)[] = [];
  for (let nth = 0; nth < 60; nth++) {
    const first = await send(PAGE);
    const [cookie = ''] = first.headers['set-cookie']?.[0]?.split(';') ?? [];
    // The cookie's visitor stays on their side, though others have just asked with theirs.
    for (let times = 0; times < 3; times++)
      expect(versionIn((await send(PAGE, { cookie })).text)).toBe(versionIn(first.text));
    sides.push(versionIn(first.text));
  }
  expect(new Set(sides)).toEqual(new Set(['0.1.0', CANARY]));
  expect(sides.filter((side) => side === CANARY).length).toBeGreaterThan(10);
  expect(await isKept(PAGE)).toBe(false);
  expect(await isKept(entryPath(CANARY))).toBe(false);
  expect(await isKept(entryPath('0.1.0'))).toBe(true);
  await followRegistry();
  expect(await db.selectFrom('loadReport').selectAll().where('kind', '=', 'served').execute()).toHaveLength(1);

  await endCanary();
  expect(await isKept(PAGE)).toBe(true);
});

test('threat 58: constant requests get no cached page from before the canary opened', async () => {
  const { isKept, openCanary, send, versionIn } = await openBehindNginx();
  const crowd = async (path: string) => Promise.all(Array.from({ length: 20 }, () => send(path)));
  await isKept(PAGE);
  await openCanary(100);

  const sides = async () => [...new Set((await crowd(PAGE)).map(({ text }) => versionIn(text)))];
  await expect.poll(sides).toEqual([CANARY]);
});

test('threat 58: only responses equal for all visitors have a cache lifetime', async () => {
  const { publish, followRegistry, ask, db } = await createPublishFixture();
  const run = buildRoute('/key-system-1', { canonical: null, firstCall: '/api/keysystem/state?hwid={hwid}' });
  await publish('key-system', '0.1.0', makeRelease('key-system', '0.1.0', { routes: [run] }));
  await promoteReleases({ db }, [{ unit: 'key-system', version: '0.1.0' }], { by: 'olga', at: Date.now() });
  await followRegistry();
  async function keptFor(path: string, headers = {}) {
    const answer = await ask(path, { headers });
    return [answer.status, answer.headers.get('x-accel-expires')];
  }

  expect(await keptFor(PAGE)).toEqual([200, '1']);
  expect(await keptFor(entryPath('0.1.0'))).toEqual([200, '10']);
  expect(await keptFor('/key-system-1?hwid=device-1234')).toEqual([200, null]);
  expect(await keptFor(PAGE, { cookie: `${FAILED_SHELL_COOKIE}=0.1.0` })).toEqual([200, null]);
  expect(await keptFor('/releases/tools/0.1.0/none.js')).toEqual([404, null]);
});

test('threat 43: a page does not depend on the requested host', async () => {
  const { send } = await openBehindNginx();
  // With a query nothing is kept.
  const askAs = async (host: string) => (await send(`${PAGE}?x=1`, { host })).text;
  const page = await askAs('site.example');

  expect(page).toContain('<html');
  for (const host of ['other.example', 'a.b:1']) expect(await askAs(host)).toBe(page);
});
