import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SiteStatus } from '@app/contracts/status-schemas';
import { expect, onTestFinished, test } from 'vitest';
import { createTestApi, TEST_PEPPER, type TestApi } from '#api/test/create-test-api.ts';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { createUptimeRecord } from '#api/product/status/record-uptime.ts';
import { requireLocation } from '#api/test/product/visitor-steps.ts';
import { writeSampleMails } from './sample-mails.ts';
import { listScenarios, SCENARIOS, seed, claimOf } from './scenarios.ts';

const OURS = readSigningKey(generateSigningKey('test-key'));
const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Where the scenarios that are not about a page of the key system begin. */
const OTHER_NETWORK: Record<string, string> = {
  'payment-pending': '/success-plus?ref=',
  'payment-paid': '/success-premium?ref=',
  'payment-refunded': '/success-plus?ref=',
  status: '/status',
};

/** The state that pages read after each scenario. */
const EXPECTED: Record<string, (now: number) => object> = {
  fresh: () => ({ run: null, key: null, cooldown: null }),
  'usual-time': () => ({ run: null, key: null, usualRunMs: 8 * MINUTE }),
  'step-2': () => ({ run: { step: 2, of: 6, completed: [{ step: 1 }] } }),
  'step-3': () => ({ run: { step: 3, series: 1 } }),
  'step-4': () => ({ run: { step: 4, series: 2 } }),
  'step-5': () => ({ run: { step: 5 } }),
  'step-6': () => ({ run: { step: 6, completed: [{ step: 1 }, { step: 2 }, { step: 3 }, { step: 4 }, { step: 5 }] } }),
  'companion-step-2': () => ({ app: 'companion', run: { step: 2, of: 3 } }),
  'companion-step-3': () => ({ app: 'companion', run: { step: 3, of: 3 } }),
  waiting: () => ({ run: { step: 2, waiting: true } }),
  'cooling-down': () => ({ cooldown: { reason: 'KS_COOLDOWN' } }),
  blocked: (now) => ({ run: null, cooldown: { reason: 'KS_BLOCKED', until: now + 24 * HOUR } }),
  'active-key': (now) => ({ run: null, key: { active: true, expiresAt: approximately(now + 23 * HOUR) } }),
  'expiring-key': (now) => ({ key: { active: true, expiresAt: approximately(now + HOUR / 6) } }),
  'expired-key': (now) => ({ key: { active: false, expiresAt: approximately(now - HOUR) } }),
  'provider-down': () => ({
    run: { step: 2 },
    advertisers: expect.arrayContaining([{ id: 'workink', ok: false }]) as unknown,
  }),
  limited: () => ({ run: { step: 1 } }),
  'plan-active': (now) => ({ key: null, plan: { id: 'plus', until: now + 20 * DAY, renewable: false } }),
  'plan-ending': (now) => ({ plan: { id: 'plus', until: now + 5 * DAY, renewable: true } }),
  'plan-ended': (now) => ({ plan: null, endedPlan: { id: 'basic', endedAt: now - DAY } }),
  'payment-pending': () => ({ plan: null }),
  'payment-paid': (now) => ({ plan: { id: 'premium', until: now + 365 * DAY - MINUTE } }),
  'payment-refunded': () => ({ plan: null }),
  status: () => ({ run: null, usualRunMs: 8 * MINUTE }),
  'code-redeemed': (now) => ({ plan: { id: 'basic', until: now + 7 * DAY } }),
};

/** Rounded down, because a key's times are whole seconds. */
function approximately(at: number): number {
  return Math.floor(at / 1000) * 1000;
}

async function prepare(api: TestApi, name: string): Promise<string | undefined> {
  return seed(
    { db: api.db, pepper: TEST_PEPPER, signingKey: OURS, limits: DEFAULT_LIMITS, baseUrl: api.origin, now: api.now },
    name,
  );
}

async function readState(api: TestApi, name: string): Promise<unknown> {
  const { hwid, zone } = claimOf(name);
  const app = SCENARIOS[name]?.app ?? 'main';
  return (await api.ask(`/api/keysystem/state?hwid=${hwid}&zone=${zone}&app=${app}`)).json();
}

test('every seed scenario is tested and listed', () => {
  expect(Object.keys(EXPECTED)).toEqual(expect.arrayContaining(Object.keys(SCENARIOS)));
  for (const name of Object.keys(SCENARIOS)) expect(listScenarios()).toContain(`\n  ${name} `);
});

test.each(Object.keys(SCENARIOS))(
  'the scenario %s gives its state to pages, however often it is seeded',
  async (name) => {
    const api = await createTestApi({ signingKey: OURS });

    for (let times = 0; times < 2; times++) {
      expect(await prepare(api, name)).toContain(OTHER_NETWORK[name] ?? `hwid=seed-${name}&zone=seed-zone`);
      expect(await readState(api, name)).toMatchObject(EXPECTED[name]?.(api.now()) ?? {});
    }
  },
);

test('the status of the scenario status is that of days, today among them, on which the site was up', async () => {
  const api = await createTestApi({ signingKey: OURS });
  await createUptimeRecord({ db: api.db, log: api.site.log, now: api.now })();
  await prepare(api, 'status');

  const { days, keys } = (await (await api.ask('/api/status')).json()) as SiteStatus;
  expect(days.filter(({ of }) => of > 0)).toHaveLength(76);
  expect(days.at(-1)?.up).toBe(days.at(-1)?.of);
  expect(keys).toEqual({ today: 1240, yesterday: 3820 });
});

test('mails of each kind and language are written as HTML and text and listed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sample-mails-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));

  writeSampleMails(folder, new Date(0));

  const files = readdirSync(folder);
  expect(files).toHaveLength(28);
  expect(files).toEqual(expect.arrayContaining(['receipt.html', 'receipt.txt', 'reminder.html']));
  expect(readFileSync(join(folder, 'receipt.txt'), 'utf8')).toMatch(/^Subject: Your Plus plan is on\n\nPlus is on\n/);
  expect(readFileSync(join(folder, 'receipt-vi.txt'), 'utf8')).toMatch(/^Subject: Gói Plus của bạn đã kích hoạt\n/);
  expect(listScenarios()).toContain('\n  mails ');
});

test('the scenario limited uses up the attempts of an hour', async () => {
  const api = await createTestApi({ signingKey: OURS });
  await prepare(api, 'limited');

  expect(requireLocation(await api.visit('/api/keysystemv2?hwid=seed-limited&zone=seed-zone&step=1'))).toContain(
    'e=KS_LIMIT',
  );
});

test('a scenario seeded after provider-down closes every advertiser circuit', async () => {
  const api = await createTestApi({ signingKey: OURS });
  await prepare(api, 'provider-down');
  await prepare(api, 'step-2');

  expect(await readState(api, 'step-2')).not.toMatchObject({
    advertisers: expect.arrayContaining([{ id: 'workink', ok: false }]) as unknown,
  });
});

test.each(['step-7', 'constructor', ''])('the unknown scenario "%s" is rejected', async (name) => {
  const api = await createTestApi({ signingKey: OURS });

  expect(await prepare(api, name)).toBeUndefined();
  expect(await api.db.selectFrom('device').select('id').execute()).toEqual([]);
});

test('the scenario cooling-down is seeded while the clock advances', async () => {
  const api = await createTestApi({ signingKey: OURS });
  let ms = 0;
  const now = () => api.now() + ms++;

  await seed(
    { db: api.db, pepper: TEST_PEPPER, signingKey: OURS, limits: DEFAULT_LIMITS, baseUrl: api.origin, now },
    'cooling-down',
  );
  expect(await readState(api, 'cooling-down')).toMatchObject({ cooldown: { reason: 'KS_COOLDOWN' } });
});
