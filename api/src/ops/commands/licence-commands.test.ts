import { expect, test } from 'vitest';
import { buildReseller } from '#api/test/build-rows.ts';
import { openTerminal } from '#api/test/programs/open-terminal.ts';
import { HWID } from '#api/test/product/visitor-steps.ts';

const DAY = 24 * 60 * 60 * 1000;
const EMAIL = 'ada@example.com';

interface Issued {
  batch: string;
  codes: string[];
}

/** A terminal of a site with one reseller, and a visitor who redeems codes. */
async function open() {
  const terminal = await openTerminal();
  const { api, ask } = terminal;
  await api.db
    .insertInto('reseller')
    .values(buildReseller({ id: 'store' }))
    .execute();

  return {
    ...terminal,
    issue: async (plan: string, count: number) =>
      (await ask('licence', 'issue', '--reseller', 'store', '--plan', plan, '--count', String(count))) as Issued,
    redeem: async (code = '', hwid = HWID) => (await api.post('/api/redeem', { email: EMAIL, hwid, code })).status,
  };
}

test('issue prints the codes only once, with their batch id', async () => {
  const { type, listAudit, redeem } = await open();

  const { code, out } = await type('licence', 'issue', '--reseller', 'store', '--plan', 'plus', '--count', '2');

  expect(code).toBe(0);
  expect(out).toMatch(
    /^([0-9A-Z]{6}-){3}[0-9A-Z]{6}\n([0-9A-Z]{6}-){3}[0-9A-Z]{6}\nBatch \S+: 2 × plus for store\. The codes are not shown again\.$/,
  );
  expect(await redeem(out.split('\n')[1])).toBe(200);
  const listed = (await type('licence', 'codes')).out;
  expect(listed).toMatch(
    /^batch +reseller +plan +issued at +issued +redeemed +revoked +open\n\S+ +store +plus .* 2 +1 +0 +1$/,
  );
  for (const line of out.split('\n').slice(0, 2)) expect(listed).not.toContain(line);
  expect(await listAudit()).toMatchObject([{ kind: 'licence', code: 'codes issued' }]);
});

test('codes are counted by batch and by reseller', async () => {
  const { ask, issue, redeem } = await open();
  const first = await issue('basic', 3);
  const second = await issue('premium', 1);
  await redeem(first.codes[0]);

  const counted = { reseller: 'store', plan: 'basic', issued: 3, redeemed: 1, revoked: 0, open: 2 };
  expect(await ask('licence', 'codes', '--batch', first.batch)).toMatchObject([{ batch: first.batch, ...counted }]);
  expect(await ask('licence', 'codes', '--reseller', 'store')).toHaveLength(2);
  expect(await ask('licence', 'codes', '--reseller', 'unknown')).toEqual([]);
  expect(second.codes).toHaveLength(1);
});

test('revoke-codes revokes one code or the rest of a batch, but no redeemed code', async () => {
  const { type, issue, redeem, listAudit } = await open();
  const { batch, codes } = await issue('basic', 3);
  await redeem(codes[0]);
  const revoke = (...which: string[]) => type('licence', 'revoke-codes', ...which, '--reason', 'stolen');

  expect(await revoke('--code', codes[1]?.toLowerCase() ?? '')).toMatchObject({ code: 0, out: 'Revoked 1 code.' });
  expect(await redeem(codes[1])).toBe(410);
  expect(await revoke('--batch', batch)).toMatchObject({ code: 0, out: 'Revoked 1 code.' });
  expect(await redeem(codes[2])).toBe(410);
  expect(await redeem(codes[0])).toBe(200);
  for (const which of [
    ['--batch', batch],
    ['--code', codes[0] ?? ''],
    ['--batch', 'unknown'],
  ])
    expect(await revoke(...which)).toMatchObject({ code: 1, err: 'No such code is open; see: licence codes.' });
  expect((await listAudit()).map(({ code }) => code)).toEqual(['codes issued', 'codes revoked', 'codes revoked']);
});

test('show prints periods, devices and the end of a licence, and masks its mail address', async () => {
  const { api, ask, say, type, issue, redeem } = await open();
  const { codes } = await issue('basic', 2);
  await redeem(codes[0]);
  await redeem(codes[1]);
  const end = api.now() + 14 * DAY;

  expect(await ask('licence', 'show', 'Lovelace, Ada <ADA@example.com>')).toMatchObject([
    {
      email: 'a***@example.com',
      plan: { id: 'basic', until: end },
      periods: [{ plan: 'basic', order: null }, { endsAt: end }],
      devices: [{ boundAt: api.now() }],
    },
  ]);
  const [{ id }] = (await ask('licence', 'show', EMAIL)) as [{ id: string }];
  const { out } = await type('licence', 'show', id);
  expect(out).toContain(`Licence ${id}`);
  for (const hidden of [EMAIL, HWID]) expect(out).not.toContain(hidden);
  expect(await say('licence', 'show', 'eve@example.com')).toEqual([
    1,
    'There is no such licence; give its id, or the whole email address.',
  ]);
  expect(await type('licence', 'show', 'unknown')).toMatchObject({ code: 1 });
});

test('revoke ends one period only once, and the next period begins at once', async () => {
  const { api, ask, type, issue, redeem, listAudit } = await open();
  const { codes } = await issue('basic', 2);
  await redeem(codes[0]);
  await redeem(codes[1]);
  const show = async () =>
    (await ask('licence', 'show', EMAIL)) as [{ periods: [{ id: string }]; plan: { until: number } | null }];
  const [{ periods }] = await show();
  const revoke = () => type('licence', 'revoke', periods[0].id, '--reason', 'fraud');

  expect(await revoke()).toMatchObject({
    code: 0,
    out: expect.stringContaining(`Revoked the period ${periods[0].id} (basic)`) as string,
  });
  expect((await show())[0].plan).toMatchObject({ until: api.now() + 7 * DAY });
  expect(await revoke()).toMatchObject({ code: 1, err: 'This period is revoked already; nothing was changed.' });
  expect(await type('licence', 'revoke', 'unknown', '--reason', 'fraud')).toMatchObject({ code: 1 });
  expect((await listAudit()).at(-1)).toMatchObject({ code: 'period revoked' });
});

test.each([
  { argv: ['issue', '--reseller', 'store', '--plan', 'plus'], said: "option '--count <number>' not specified" },
  {
    argv: ['issue', '--reseller', 'store', '--plan', 'gold', '--count', '1'],
    said: 'choices are basic, plus, premium',
  },
  { argv: ['issue', '--reseller', 'store', '--plan', 'plus', '--count', '1001'], said: 'no number from 1 to 1000' },
  { argv: ['issue', '--reseller', 'store', '--plan', 'plus', '--count', '1.5'], said: 'no number from 1 to 1000' },
  { argv: ['revoke-codes', '--reason', 'x'], said: '--batch or --code has to be given.' },
  { argv: ['revoke-codes', '--code', 'abc', '--reason', 'x'], said: '--code is no code' },
  { argv: ['revoke-codes', '--code', 'a', '--batch', 'b', '--reason', 'x'], said: 'cannot be used with' },
  { argv: ['revoke', 'period'], said: "option '--reason <text>' not specified" },
])('$argv is rejected: $said', async ({ argv, said }) => {
  const { type, listAudit } = await open();

  const { code, err } = await type('licence', ...argv);

  expect(code).toBe(2);
  expect(err).toContain(said);
  expect(await listAudit()).toEqual([]);
});

test('issuing codes for an unknown reseller is rejected', async () => {
  const { say } = await open();

  expect(await say('licence', 'issue', '--reseller', 'stor', '--plan', 'plus', '--count', '1')).toEqual([
    1,
    'There is no reseller stor; see: reseller list.',
  ]);
});
