import { expect, test } from 'vitest';
import { createQaFixture } from '#api/test/delivery/qa-fixture.ts';

const FILE = '/releases/tools/remoteEntry.aaaaaaaa.js';
const CODE = 'export const answer = 42;';

async function simulate(fault: string, unit = 'tools') {
  const site = await createQaFixture();
  const browser = site.browser();
  await browser.enter();
  await browser.send('/api/qa/pins', { method: 'PUT', body: { pins: {}, faults: { [unit]: fault } } });
  return { site, browser };
}

test('threat 41: a unit with the fault “offline” is not served, only in this browser', async () => {
  const { site, browser } = await simulate('offline');

  const gone = await browser.send(`${FILE}?fault=offline&retry=1`);
  expect([gone.status, gone.headers.get('cache-control'), await gone.text()]).toEqual([503, 'no-store', '']);

  for (const [who, path] of [
    [browser, FILE],
    [browser, `${FILE}?fault=corrupt`],
    [browser, `${FILE}?fault=`],
    [browser, '/releases/key-system/remoteEntry.aaaaaaaa.js?fault=offline'],
    [site.browser(), `${FILE}?fault=offline`],
  ] as const) {
    const there = await who.send(path);
    expect([there.status, await there.text()]).toEqual([200, CODE]);
  }
});

test('a file with the fault “corrupt” differs in one bit, keeps its type, and is not stored', async () => {
  const { browser } = await simulate('corrupt');

  const answer = await browser.send(`${FILE}?fault=corrupt`);
  const text = await answer.text();

  expect(text).toHaveLength(CODE.length);
  expect([...text].filter((letter, index) => letter !== CODE[index])).toHaveLength(1);
  expect(answer.headers.get('content-type')).toContain('javascript');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  for (const path of [
    '/releases/tools/0.1.0/release.json',
    '/releases/tools/remoteEntry.aaaaaaaa.js.map',
    '/releases/tools/0.1.0/..%2f..%2fshell/0.1.0/release.json',
  ])
    expect((await browser.send(`${path}?fault=corrupt`)).status).toBe(404);
});

test('a file with the fault “slow” hangs until the browser gives up, at most four at once', async () => {
  const { browser } = await simulate('slow');
  const leaving = new AbortController();

  const hanging = Array.from({ length: 4 }, () => browser.send(`${FILE}?fault=slow`, { signal: leaving.signal }));
  const settled = Promise.allSettled(hanging);
  let tooMany = await browser.send(`${FILE}?fault=slow`, { signal: AbortSignal.timeout(5000) });
  expect(tooMany.status).toBe(503);

  leaving.abort();
  expect((await settled).map(({ status }) => status)).toEqual(Array<string>(4).fill('rejected'));
  tooMany = await browser.send(FILE);
  expect(tooMany.status).toBe(200);
});

test('the HTML has a link that ends the faults, for pages whose shell does not load', async () => {
  const { browser, site } = await simulate('slow', 'shell');
  const html = await (await browser.send('/new?hwid=device-1')).text();
  const [, way = ''] = /<a href="([^"]*)">Leave them<\/a>/.exec(html) ?? [];

  // Documents are kept, so no device is in it.
  expect(way).toBe('?pin=none');
  const left = await browser.send(`/new${way}`);
  expect([left.status, left.headers.get('location')]).toEqual([303, '/new']);
  expect((await browser.open('/new')).resolution.qa).toEqual({ access: true, pins: {} });
  expect(await (await site.browser().send('/new')).text()).not.toContain('pin=none');
});
