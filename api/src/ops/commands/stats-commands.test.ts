import { expect, test } from 'vitest';
import { utcDay } from '#api/foundation/audit/anchor.ts';
import { createCountsRepository } from '#api/product/stats/counts.repository.ts';
import { openTerminal } from '#api/test/programs/open-terminal.ts';

const DAY = 24 * 60 * 60 * 1000;
const SUMS = { sent: 10, returned: 8, credited: 7, refused: 1, lost: 2 };
const MAIN = { appId: 'main', step: 1, advertiserId: 'rinku', ...SUMS };

async function open() {
  const terminal = await openTerminal();
  const { api } = terminal;
  const counts = createCountsRepository(api.db);
  const [today, before] = [utcDay(api.now()), utcDay(api.now() - 7 * DAY)];
  await counts.addAttempts(today, [
    MAIN,
    { ...MAIN, step: 2 },
    { ...MAIN, appId: 'companion', advertiserId: 'linkvertise' },
  ]);
  await counts.addAttempts(before, [MAIN]);
  await counts.addKeys('issued', today, [{ appId: 'main', count: 3 }]);
  await counts.advance('attempts', 0, api.now());
  return { ...terminal, today, before };
}

test('runs lists the last seven days by day, step or advertiser, for all apps or one', async () => {
  const { ask, today, before } = await open();
  const both = { sent: 20, returned: 16, credited: 14, refused: 2, lost: 4 };

  expect(await ask('runs')).toMatchObject({
    rows: [
      { app: 'companion', day: today, ...SUMS },
      { app: 'main', day: today, ...both },
    ],
    keys: [{ app: 'main', day: today, issued: 3, withdrawn: 0 }],
  });
  expect(await ask('runs', '--app', 'main', '--by', 'step', '--days', '8')).toMatchObject({
    from: before,
    rows: [
      { app: 'main', step: 1, ...both },
      { app: 'main', step: 2, ...SUMS },
    ],
  });
  expect(await ask('runs', '--by', 'advertiser')).toMatchObject({
    rows: [
      { app: 'companion', advertiser: 'linkvertise' },
      { app: 'main', advertiser: 'rinku', sent: 20 },
    ],
  });
});

test('runs prints a table with the time up to which it counted', async () => {
  const { type, today } = await open();

  const { out } = await type('runs', '--app', 'main');

  expect(out).toContain('app   day         sent  returned  credited  refused  lost');
  expect(out).toContain(`main  ${today}  20    16        14        2        4`);
  expect(out).toContain('Nothing is counted yet.');
});

test.each([
  { argv: ['runs', '--days', '0'], said: 'It is no number from 1 to 90.' },
  { argv: ['runs', '--days', '91'], said: 'It is no number from 1 to 90.' },
  { argv: ['runs', '--by', 'country'], said: 'Allowed choices are day, step, advertiser.' },
  { argv: ['runs', '--app', 'mian'], said: 'No app has the name mian; see: app list.' },
  { argv: ['stats-token', 'create', 'mian', '--for', 'Ada'], said: 'No app has the name mian; see: app list.' },
  { argv: ['stats-token', 'create', 'main'], said: "required option '--for <label>' not specified" },
  { argv: ['stats-token', 'create', 'main', '--for', 'Ada', '--days', '366'], said: 'It is no number from 1 to 365.' },
  { argv: ['stats-token', 'revoke', 'x'], said: 'No token that works has this id; see: stats-token list.' },
])('a stats command is rejected: $said', async ({ argv, said }) => {
  const { type } = await openTerminal();

  const { code, err } = await type(...argv);

  expect(code).not.toBe(0);
  expect(err).toContain(said);
});

test('a stats token is shown once, is listed without its secret, gives access to its app, and can be revoked', async () => {
  const { api, type, ask, listAudit } = await open();
  const { out } = await type('stats-token', 'create', 'companion', '--for', 'Ada', '--by', 'olga');
  const [token = ''] = out.split('\n');
  const read = () => api.ask('/api/stats/runs?days=7', { headers: { authorization: `Bearer ${token}` } });

  expect(out).toContain(`/stats#token=${token}`);
  expect(await (await read()).json()).toMatchObject({ app: 'companion', steps: [{ step: 1, ...SUMS }] });
  const tokens = (await ask('stats-token', 'list')) as { id: string }[];
  expect(tokens).toMatchObject([{ app: 'companion', label: 'Ada', state: 'works', createdBy: 'olga' }]);
  expect(JSON.stringify(tokens)).not.toContain(token);
  expect(JSON.stringify(tokens)).not.toContain('hash');
  await type('stats-token', 'revoke', tokens[0]?.id ?? '');

  expect((await read()).status).toBe(401);
  expect(await ask('stats-token', 'list')).toMatchObject([{ state: 'revoked' }]);
  expect((await listAudit()).map(({ kind, code }) => `${kind} ${code}`)).toEqual([
    'stats_token created',
    'stats_token revoked',
  ]);
});
