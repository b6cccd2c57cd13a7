import { expect, test } from 'vitest';
import { buildRelease, buildRoute } from '#api/test/delivery/build-release.ts';
import { createTestApi, openEmptyDb } from '#api/test/create-test-api.ts';
import { insertReleases } from '#api/test/delivery/insert-releases.ts';
import { countMeanwhile } from '#api/test/read-metric.ts';

const TOLD = { page: '/encrypter', version: '1.0.0', shell: '0.1.0', cached: false, lcp: 812.4, cls: 0 };

async function openSite() {
  const db = await openEmptyDb();
  await insertReleases(
    db,
    [buildRelease('shell'), buildRelease('tools', { version: '1.0.0', routes: [buildRoute('/encrypter')] })],
    { shell: { stable: '0.1.0' }, tools: { stable: '1.0.0' } },
  );
  return createTestApi({ db });
}

test('what a page tells is counted, and answered without a cookie', async () => {
  const { post } = await openSite();
  let answer: Response | undefined;
  const labels = { page: '/encrypter', engine: 'firefox', release: 'tools@1.0.0', shell: '0.1.0', timing: 'lcp' };
  const counted = await countMeanwhile([['site_field_duration_seconds_count', labels]], async () => {
    const firefox = { 'user-agent': 'Mozilla/5.0 Gecko/20100101 Firefox/140.0' };
    answer = await post('/api/field-timings', TOLD, firefox);
  });

  expect(answer?.status).toBe(204);
  expect(answer?.headers.get('set-cookie')).toBeNull();
  expect(counted).toEqual([1]);
});

test.each([
  ['a negative time', { ...TOLD, lcp: -1 }],
  ['an endless time', { ...TOLD, works: 1e9 }],
  ['a text for a time', { ...TOLD, inp: '5' }],
  ['a shift beyond all screens', { ...TOLD, cls: 1e6 }],
  ['no release', { ...TOLD, version: undefined }],
  ['a page of a thousand letters', { ...TOLD, page: `/${'a'.repeat(1000)}` }],
  ['a list', []],
])('threat 59: %s is refused', async (_what, told) => {
  const { post } = await openSite();
  expect((await post('/api/field-timings', told)).status).toBe(400);
});

test('threat 59: a network is heard twenty times a minute', async () => {
  const { post } = await openSite();
  const statuses = [];
  for (let nth = 0; nth < 21; nth++) statuses.push((await post('/api/field-timings', TOLD)).status);

  expect(statuses.slice(0, 20)).toEqual(Array(20).fill(204));
  expect(statuses.at(-1)).toBe(429);
});

test('other methods are answered with the one that is allowed', async () => {
  const { ask } = await openSite();
  const answer = await ask('/api/field-timings');

  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
});
