import { expect, test } from 'vitest';
import { NO_DOWNLOADS } from '#api/features/downloads/downloads-settings.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import exampleSettings from '../advertisers-settings.example.json' with { type: 'json' };

test.each([
  '/dev',
  '/dev/advertiser',
  '/dev/advertiser/sandbox.css',
  '/dev/advertiser/linkvertise/1/1/dynamic?r=',
  '/dev/advertiser/linkvertise/finish?r=',
  '/dev/advertiser/workink/_api/v2/override?destination=x',
  '/dev/advertiser/lootlabs/finish?data=x',
  '/dev/advertiser/rinku/api?api=x&url=y&alias=z',
])('row 19: with real accounts nothing answers at %s', async (path) => {
  const api = await createTestApi({ advertisers: exampleSettings, downloads: NO_DOWNLOADS });

  expect((await api.ask(path)).status).toBe(404);
  expect((await api.ask(path, { method: 'POST' })).status).toBe(404);
});
