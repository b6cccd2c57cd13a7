import type { RunStats } from '@app/contracts/stats-schemas';
import { expect, test } from 'vitest';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { sealAudit } from '#api/test/sealed.ts';
import { createCountsRepository } from './counts.repository.ts';
import { createStatsToken, revokeStatsToken } from './stats-tokens.ts';

const DAY = 24 * 60 * 60 * 1000;
const AT = Date.parse('2026-12-31T12:00Z');
const SUM = { appId: 'main', step: 1, advertiserId: 'rinku', sent: 10, returned: 8, credited: 7, refused: 1, lost: 2 };

const open = () => createTestApi({ startAt: AT });
const ask = (api: TestApi, token?: string, query = '') =>
  api.ask(`/api/stats/runs${query}`, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
const codeOf = async (answer: Response) =>
  `${String(answer.status)} ${((await answer.json()) as { code: string }).code}`;

async function create(api: TestApi, { app = 'main', days = 30 } = {}) {
  const created = await createStatsToken({ db: api.db }, { app, label: 'Ada', days }, { by: 'olga', at: AT });
  if (!created) throw new Error('there is no such app');
  return created;
}

test('an author reads the figures of their own app by step and advertiser, and its keys by day', async () => {
  const api = await open();
  const counts = createCountsRepository(api.db);
  await counts.addAttempts('2026-12-31', [
    SUM,
    { ...SUM, step: 2, sent: 7 },
    { ...SUM, advertiserId: 'lootlabs', sent: 5 },
    { ...SUM, appId: 'companion', sent: 1000 },
  ]);
  await counts.addAttempts('2026-12-25', [{ ...SUM, sent: 100 }]);
  await counts.addAttempts('2026-12-24', [{ ...SUM, sent: 5000 }]);
  await counts.addKeys('issued', '2026-12-30', [{ appId: 'main', count: 4 }]);
  await counts.addKeys('withdrawn', '2026-12-30', [
    { appId: 'main', count: 1 },
    { appId: 'companion', count: 9 },
  ]);
  const { token } = await create(api);

  const answer = await ask(api, token, '?days=7');
  const { steps, advertisers, keys, ...rest } = (await answer.json()) as RunStats;

  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(rest).toEqual({ app: 'main', days: 7, now: AT, countedUntil: 0 });
  expect(steps.map(({ step, sent }) => [step, sent])).toEqual([
    [1, 115],
    [2, 7],
  ]);
  expect(advertisers).toEqual([
    { advertiser: 'lootlabs', sent: 5, returned: 8, credited: 7, refused: 1, lost: 2 },
    { advertiser: 'rinku', sent: 117, returned: 24, credited: 21, refused: 3, lost: 6 },
  ]);
  expect(keys).toHaveLength(7);
  expect(keys[0]?.day).toBe('2026-12-25');
  expect(keys.slice(-2)).toEqual([
    { day: '2026-12-30', issued: 4, withdrawn: 1 },
    { day: '2026-12-31', issued: 0, withdrawn: 0 },
  ]);
});

test('the figures name the time up to which they are complete', async () => {
  const api = await open();
  const counts = createCountsRepository(api.db);
  await counts.advance('attempts', 0, AT);
  await counts.advance('issued', 0, AT - 1);
  await counts.advance('withdrawn', 0, AT - DAY);

  const answer = await ask(api, (await create(api)).token);
  expect(await answer.json()).toMatchObject({ countedUntil: AT - DAY });
});

test('figures are rejected without a token, and with a wrong, hashed, expired or revoked token', async () => {
  const api = await open();
  const { token } = await create(api);
  const short = await create(api, { days: 1 });
  const revoked = await create(api);
  await revokeStatsToken({ db: api.db }, revoked.id, { by: 'olga', at: AT });
  const { hash } = await api.db.selectFrom('statsToken').select('hash').executeTakeFirstOrThrow();

  for (const wrong of [undefined, '', hash, `stats_${hash}`, `${token}x`, token.slice(0, -1), 'x'.repeat(10_000)]) {
    const answer = await ask(api, wrong);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await codeOf(answer)).toBe('401 stats.token_unknown');
  }
  expect(await codeOf(await ask(api, revoked.token))).toBe('401 stats.token_expired');
  api.pass(DAY - 1);
  expect((await ask(api, short.token)).status).toBe(200);
  api.pass(1);
  expect(await codeOf(await ask(api, short.token))).toBe('401 stats.token_expired');
  expect((await ask(api, token)).status).toBe(200);
});

test.each(['0', '91', '-1', '1.5', '7&days=30', 'x', '', '007'])(
  'days=%s is rejected with the accepted range',
  async (days) => {
    const api = await open();
    const { token } = await create(api);

    const refused = await ask(api, token, `?days=${days}`);

    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      code: 'request.invalid',
      detail: '“days” must be a whole number from 1 to 90.',
    });
  },
);

test('database, audit and log contain no token, and its last use is stored at most once a minute', async () => {
  const api = await open();
  const { token, id } = await create(api);
  const lastUse = () => api.db.selectFrom('statsToken').select('lastUsedAt').executeTakeFirst();
  await ask(api, token);
  api.pass(59_999);
  await ask(api, token);
  expect(await lastUse()).toEqual({ lastUsedAt: AT });
  api.pass(1);
  await ask(api, token);
  expect(await lastUse()).toEqual({ lastUsedAt: AT + 60_000 });
  api.site.log.info({ token }, 'a careless line');
  await revokeStatsToken({ db: api.db }, id, { by: 'olga', at: AT });

  await sealAudit(api.db);
  const events = await api.db
    .selectFrom('auditEvent')
    .select(['kind', 'code', 'detail'])
    .where('kind', '=', 'stats_token')
    .orderBy('seq')
    .execute();
  const rows = await api.db.selectFrom('statsToken').selectAll().execute();
  expect(events.map(({ kind, code }) => `${kind} ${code}`)).toEqual(['stats_token created', 'stats_token revoked']);
  expect(JSON.stringify([events, rows, api.logged])).not.toContain(token.slice(8));
  expect(api.logged.join('')).toContain('stats_***');
});

test('the figures answer 429 after sixty requests in a minute from one address', async () => {
  const api = await open();
  const { token } = await create(api);
  for (let nth = 0; nth < 60; nth++) await ask(api, token);

  expect(await codeOf(await ask(api, token))).toBe('429 KS_LIMIT');
  api.pass(60_000);
  expect((await ask(api, token)).status).toBe(200);
});

test('a stats token is rejected for an unknown app', async () => {
  const api = await open();

  expect(
    await createStatsToken({ db: api.db }, { app: 'none', label: 'x', days: 1 }, { by: 'olga', at: AT }),
  ).toBeUndefined();
});
