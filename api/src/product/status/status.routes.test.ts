import type { SiteStatus } from '@app/contracts/status-schemas';
import { expect, test } from 'vitest';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { clickComplete, passCaptcha } from '#api/test/product/visitor-steps.ts';
import { ProviderError } from '#api/foundation/http/call-provider.ts';
import { enableAdvertiser } from '#api/product/advertisers/advertisers.service.ts';
import exampleSettings from '#api/product/advertisers/advertisers-settings.example.json' with { type: 'json' };
import { createAppsRepository } from '#api/product/apps/apps.repository.ts';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { createCountsRepository } from '#api/product/stats/counts.repository.ts';

const AT = Date.parse('2026-12-31T12:00:30Z');

const open = () => createTestApi({ startAt: AT });
const read = async (api: TestApi) => (await (await api.ask('/api/status')).json()) as SiteStatus;
const note = (api: TestApi, ...days: { day: string; firstMinute?: number; lastMinute?: number; minutes: number }[]) =>
  api.db
    .insertInto('uptimeDay')
    .values(days.map((day) => ({ firstMinute: 0, lastMinute: 1439, ...day })))
    .execute();

test('of each day the status says in how many minutes the site was up, of today only of those that have passed', async () => {
  const api = await open();
  await note(
    api,
    { day: '2026-12-28', firstMinute: 1200, minutes: 240 },
    { day: '2026-12-29', minutes: 1400 },
    { day: '2026-12-31', lastMinute: 719, minutes: 700 },
  );

  const { days } = await read(api);

  expect(days).toHaveLength(90);
  expect(days.slice(-5)).toEqual([
    // Before the record.
    { day: '2026-12-27', up: 0, of: 0 },
    // The record began in the evening.
    { day: '2026-12-28', up: 240, of: 240 },
    { day: '2026-12-29', up: 1400, of: 1440 },
    // No server ran.
    { day: '2026-12-30', up: 0, of: 1440 },
    { day: '2026-12-31', up: 700, of: 720 },
  ]);
});

test('a minute that has begun counts as passed once it is noted', async () => {
  const api = await open();
  await note(api, { day: '2026-12-31', firstMinute: 720, lastMinute: 720, minutes: 1 });

  expect((await read(api)).days.at(-1)).toEqual({ day: '2026-12-31', up: 1, of: 1 });
});

test('what servers with wrong clocks noted begins no record, and promises no minutes', async () => {
  const api = await open();
  await note(
    api,
    { day: '1970-01-01', minutes: 1440 },
    { day: '2026-12-30', minutes: 1440 },
    { day: '2026-12-31', lastMinute: 1400, minutes: 719 },
    { day: '2027-03-01', minutes: 1440 },
  );

  expect((await read(api)).days.slice(-3)).toEqual([
    { day: '2026-12-29', up: 0, of: 0 },
    { day: '2026-12-30', up: 1440, of: 1440 },
    { day: '2026-12-31', up: 719, of: 721 },
  ]);
});

test('a site that was down from midnight until now was up for none of these minutes', async () => {
  const api = await open();
  await note(api, { day: '2026-12-30', minutes: 1440 });

  expect((await read(api)).days.at(-1)).toEqual({ day: '2026-12-31', up: 0, of: 720 });
});

test('the status counts the keys of all apps but those of the sandbox, and says how long a run takes', async () => {
  const api = await open();
  const counts = createCountsRepository(api.db);
  await counts.addKeys('issued', '2026-12-31', [
    { appId: 'main', count: 40 },
    { appId: 'companion', count: 2 },
    { appId: 'sandbox', count: 1000 },
  ]);
  await counts.addKeys('issued', '2026-12-30', [{ appId: 'main', count: 7 }]);
  await counts.addKeys('issued', '2026-12-29', [{ appId: 'main', count: 1000 }]);
  expect(await read(api)).not.toHaveProperty('usualRunMs');
  await createAppsRepository(api.db).noteUsualRun('main', 480_000);

  expect(await read(api)).toMatchObject({ now: AT, keys: { today: 42, yesterday: 7 }, usualRunMs: 480_000 });
});

test('the status names each advertiser, and whether visitors can be sent there now', async () => {
  const api = await open();
  await enableAdvertiser({ db: api.db }, 'lootlabs', false, { by: 'olga', at: AT });

  expect((await read(api)).advertisers).toEqual([
    { id: 'linkvertise', ok: true },
    { id: 'rinku', ok: true },
    { id: 'lootlabs', ok: false },
    { id: 'workink', ok: true },
  ]);
});

test('the status may be kept for a minute by any cache', async () => {
  const answer = await (await open()).ask('/api/status');

  expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
  expect(answer.headers.has('set-cookie')).toBe(false);
});

test('the jobs of a server note the minute in which they run', async () => {
  const api = await open();
  for (const { run } of api.modules.flatMap(({ jobs = [] }) => jobs)) await run(new AbortController().signal);

  expect((await read(api)).days.at(-1)).toEqual({ day: '2026-12-31', up: 1, of: 1 });
});

test('an advertiser whose circuit is open takes no visitors', async () => {
  const down = () => Promise.reject(new ProviderError('down', { failure: 'unanswered' }));
  const api = await createTestApi({ startAt: AT, advertisers: exampleSettings, callProvider: down });
  await passCaptcha(api);
  for (let tries = 0; tries < 6; tries++) await clickComplete(api, { advertiser: 'rinku' });

  expect((await read(api)).advertisers.filter(({ ok }) => !ok)).toEqual([{ id: 'rinku', ok: false }]);
});

test('one address reads the status as often as its limit says', async () => {
  const perAddress = { ...DEFAULT_LIMITS.perAddress, reads: 2 };
  const api = await createTestApi({ startAt: AT, limits: { ...DEFAULT_LIMITS, perAddress } });
  const statuses: number[] = [];
  for (let nth = 0; nth < 3; nth++) statuses.push((await api.ask('/api/status')).status);

  expect(statuses).toEqual([200, 200, 429]);
});
