import { createHash } from 'node:crypto';
import { downloadsSchema } from '@app/contracts/downloads';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { requireLocation } from '#api/test/product/visitor-steps.ts';
import exampleSettings from './downloads-settings.example.json' with { type: 'json' };
import { NO_DOWNLOADS } from './downloads-settings.ts';

const DEMO = [
  ...['android', 'ios', 'android_vng'].map((platform) => `v5/${platform}`),
  ...['android', 'ios', 'android_vng'].map((platform) => `neo/${platform}`),
  'v3/android',
  'companion/android',
];

async function readList(api: TestApi) {
  return v.parse(downloadsSchema, await (await api.ask('/api/downloads')).json());
}

test('a download redirects to the configured address without a referrer', async () => {
  const api = await createTestApi({ downloads: exampleSettings });

  const res = await api.visit('/download/v5/android');

  expect(res.status).toBe(302);
  expect(res.headers.get('location')).toBe('https://downloads.arceusx.example/v5/arceusx-v5.apk');
  expect(res.headers.get('referrer-policy')).toBe('no-referrer');
  expect(res.headers.get('cache-control')).toBe('no-store');
});

test.each([
  ['v5/ios', 'DOWNLOAD_NONE', 'This download isn’t out yet'] as const,
  ...['v9/android', 'v5/amiga', '__proto__/android', 'v5/constructor'].map(
    (path) => [path, 'DOWNLOAD_UNKNOWN', 'We don’t know this download'] as const,
  ),
])('/download/%s is refused with %s: %s', async (path, code, title) => {
  const api = await createTestApi({ downloads: exampleSettings });

  const res = await api.visit(`/download/${path}`);

  expect(res.status).toBe(404);
  expect(await res.json()).toMatchObject({ code, title });
});

test('pages receive version, size and checksum of each download, without its address', async () => {
  const api = await createTestApi({ downloads: exampleSettings });
  const { version, bytes, sha256 } = exampleSettings.downloads.v5.android;

  const list = await readList(api);

  expect(list['v5']).toEqual({ android: { available: true, version, bytes, sha256 } });
  expect(Object.keys(list)).toEqual(['v5', 'companion']);
  expect(JSON.stringify(list)).not.toContain('https:');
});

test.each(DEMO)(
  'on a development machine /download/%s redirects to a demo file with the reported checksum',
  async (path) => {
    const api = await createTestApi();
    const [app = '', platform = ''] = path.split('/');
    const told = (await readList(api))[app]?.[platform];

    const res = await api.visit(requireLocation(await api.visit(`/download/${path}`)));
    const file = Buffer.from(await res.arrayBuffer());

    expect(res.headers.get('content-disposition')).toBe(`attachment; filename=demo-${app}-${platform}.txt`);
    expect(res.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(file.toString('utf8')).toContain('This is a demo file.');
    expect(told).toMatchObject({
      available: true,
      sha256: createHash('sha256').update(file).digest('hex'),
    });
  },
);

test('demo downloads exist for the listed apps and platforms only', async () => {
  const list = await readList(await createTestApi());

  expect(
    Object.entries(list).flatMap(([app, platforms]) => Object.keys(platforms).map((platform) => `${app}/${platform}`)),
  ).toEqual(DEMO);
});

test('in production demo downloads are neither listed nor served', async () => {
  const api = await createTestApi({ downloads: NO_DOWNLOADS });

  for (const path of DEMO) {
    expect((await api.visit(`/download/${path}`)).status).toBe(404);
    expect((await api.ask(`/dev/downloads/${path.replace('/', '-')}.txt`)).status).toBe(404);
  }
  expect(await readList(api)).toEqual({});
});

test('without JavaScript the build for Vietnam requires a confirmation, but not when its file is missing', async () => {
  const api = await createTestApi();

  const page = await (await api.visit('/download/v5/android_vng?ask')).text();
  expect(page).toContain('<h1>For Vietnam residents only</h1>');
  expect(page).toContain('href="/download/v5/android_vng"');
  expect(page).toContain('href="/v5#downloads"');
  expect((await api.visit('/download/v5/android_vng')).status).toBe(302);
  expect((await api.visit('/download/v3/android_vng?ask')).status).toBe(404);
});
