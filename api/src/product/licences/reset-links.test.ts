import { expect, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { insertLicence } from '#api/test/product/insert-licence.ts';
import {
  askForClaim,
  askForReset,
  listBound,
  callWith,
  DAY,
  EMAIL,
  LAPTOP,
  listEvents,
  kindsOf,
  openWithLicence,
  PHONE,
  TABLET,
  workingKeys,
} from '#api/test/product/link-steps.ts';
import { nextReset } from './reset-links.ts';

const MINUTE = 60_000;
const AT = 1000 * DAY;
const LIMITS = { resetPauseMs: 7 * DAY, resetsIn30Days: 3 };
const NO_TOKEN = 'z'.repeat(43);

describeEachDatabase('reset links', (db) => {
  test('a reset unbinds all devices of the plan and revokes its keys, and the plan continues', async () => {
    const api = await openWithLicence(db());
    await insertLicence(db(), { id: 'second', email: EMAIL, startsAt: api.now() - DAY, hwids: [LAPTOP] });
    await insertLicence(db(), { id: 'other', email: 'eve@example.com', startsAt: api.now(), hwids: ['d'.repeat(20)] });
    const token = await askForReset(api);

    const details = await callWith(api, '/api/reset-details', token);
    expect(details).toMatchObject({
      status: 200,
      plan: { id: 'plus', until: expect.any(Number) as number },
      nextAt: null,
      expiresAt: api.now() - 1 + 30 * MINUTE,
    });
    expect(details['devices']).toHaveLength(3);
    expect(JSON.stringify(details)).not.toContain(PHONE);
    expect(await callWith(api, '/api/confirmresetdevices', token)).toEqual({ status: 204 });

    expect((await listBound(db())).map(({ licenceId }) => licenceId)).toEqual(['other']);
    expect(await workingKeys(db())).toEqual([`key of ${'d'.repeat(20)}`]);
    expect(await listEvents(db())).toEqual(['reset', 'reset']);
    expect((await api.mails()).at(-1)).toMatchObject({ kind: 'reset-done', to: EMAIL });
  });

  test('threat 29: a reset link works once, also when it is confirmed twice at once', async () => {
    const api = await openWithLicence(db());
    const token = await askForReset(api);

    const answers = await Promise.all([1, 2, 3].map(() => callWith(api, '/api/confirmresetdevices', token)));

    expect(answers.map(({ status }) => status).sort()).toEqual([204, 410, 410]);
    expect(await callWith(api, '/api/confirmresetdevices', token)).toMatchObject({ status: 410, code: 'RST_TOKEN' });
    expect(await callWith(api, '/api/reset-details', token)).toMatchObject({ status: 410, code: 'RST_TOKEN' });
    expect(await listEvents(db())).toEqual(['reset']);
    expect((await kindsOf(api)).filter((kind) => kind === 'reset-done')).toHaveLength(1);
  });

  test('threat 29: a mail scanner that opens a reset link changes nothing', async () => {
    const api = await openWithLicence(db());
    const token = await askForReset(api);

    for (const path of ['/api/confirmresetdevices', '/api/confirm-claim']) {
      for (const method of ['GET', 'HEAD', 'PUT'])
        expect((await api.ask(`${path}?token=${token}`, { method })).status).toBe(405);
    }
    // The empty forms for links look at no token.
    for (const path of ['/api/reset-details', '/api/claim-details']) {
      const form = await api.ask(`${path}?token=${token}`);
      expect(await form.text()).toBe(await (await api.ask(`${path}?token=other`)).text());
    }

    expect(await listBound(db())).toHaveLength(2);
    expect(await callWith(api, '/api/confirmresetdevices', token)).toEqual({ status: 204 });
  });

  test('a token pasted with surrounding text is accepted', async () => {
    const api = await openWithLicence(db());
    const token = await askForReset(api);

    expect(await callWith(api, '/api/reset-details', `\u2068<${[...token].join('\u200b')}>\u2069`)).toMatchObject({
      status: 200,
    });
    expect(await callWith(api, '/api/confirmresetdevices', `“${token}”`)).toEqual({ status: 204 });
  });

  test('a reset link expires after half an hour, with a reset by another link, and with the plan', async () => {
    const api = await openWithLicence(db());
    const late = await askForReset(api);
    api.pass(30 * MINUTE - 2);
    expect(await callWith(api, '/api/reset-details', late)).toMatchObject({ status: 200 });
    expect(await callWith(api, '/api/confirmresetdevices', late)).toMatchObject({ status: 410 });

    const [older, newer] = [await askForReset(api), await askForReset(api)];
    expect(await callWith(api, '/api/confirmresetdevices', older)).toEqual({ status: 204 });
    expect(await callWith(api, '/api/confirmresetdevices', newer)).toMatchObject({ status: 410 });

    await insertLicence(db(), { id: 'second', email: 'eve@example.com', startsAt: api.now(), hwids: [LAPTOP] });
    const ofOther = await askForReset(api, 'eve@example.com');
    await db().updateTable('licencePeriod').set({ revokedAt: api.now() }).execute();
    expect(await callWith(api, '/api/reset-details', ofOther)).toMatchObject({ status: 410 });
    expect(await callWith(api, '/api/confirmresetdevices', ofOther)).toMatchObject({ status: 410 });
    expect(await listBound(db())).toHaveLength(1);
  });

  test.each(['', 'short', NO_TOKEN, `${NO_TOKEN}a`, 1, undefined])(
    '%j is rejected as a token of a link',
    async (token) => {
      const api = await createTestApi({ db: db() });

      for (const path of [
        '/api/reset-details',
        '/api/confirmresetdevices',
        '/api/claim-details',
        '/api/confirm-claim',
      ]) {
        expect(await callWith(api, path, token)).toMatchObject({ status: 410, code: 'RST_TOKEN' });
      }
    },
  );

  test('devices are reset once in seven days and three times in thirty, and mail and page show the next possible time', async () => {
    const api = await openWithLicence(db());
    await db()
      .updateTable('licencePeriod')
      .set({ endsAt: api.now() + 90 * DAY })
      .execute();
    const first = api.now() + 2;
    expect(await callWith(api, '/api/confirmresetdevices', await askForReset(api))).toEqual({ status: 204 });

    api.pass(6 * DAY);
    const early = await askForReset(api);
    expect((await api.mails()).at(-1)?.text).toContain('Next reset: from ');
    expect(await callWith(api, '/api/reset-details', early)).toMatchObject({ nextAt: first + 7 * DAY });
    expect(await callWith(api, '/api/confirmresetdevices', early)).toMatchObject({
      status: 429,
      code: 'RST_LIMIT',
      until: first + 7 * DAY,
    });

    for (const week of [1, 2]) {
      api.pass(first + week * 7 * DAY + MINUTE - api.now());
      expect(await callWith(api, '/api/confirmresetdevices', await askForReset(api))).toEqual({ status: 204 });
    }
    api.pass(first + 21.1 * DAY - api.now());
    expect(await callWith(api, '/api/confirmresetdevices', await askForReset(api))).toMatchObject({
      status: 429,
      until: first + 30 * DAY,
    });
    api.pass(first + 30 * DAY - api.now());
    expect(await callWith(api, '/api/confirmresetdevices', await askForReset(api))).toEqual({ status: 204 });
  });

  test('a reset counts towards the limit of its mail address even after its plan was revoked', async () => {
    const api = await openWithLicence(db());
    const endsAt = api.now() + 90 * DAY;
    await insertLicence(db(), { id: 'second', email: EMAIL, startsAt: api.now() - 2 * DAY, endsAt, hwids: [LAPTOP] });
    await callWith(api, '/api/confirmresetdevices', await askForReset(api));
    const done = api.now();
    await db().updateTable('licencePeriod').set({ revokedAt: done }).where('licenceId', '=', 'licence').execute();

    expect(await callWith(api, '/api/confirmresetdevices', await askForReset(api))).toMatchObject({
      status: 429,
      code: 'RST_LIMIT',
      until: done + 7 * DAY,
    });
  });

  test('a reset link is rejected for adding a device, and a device link for a reset', async () => {
    const api = await openWithLicence(db(), [PHONE]);
    const [reset, claim] = [await askForReset(api), await askForClaim(api, TABLET)];

    expect(await callWith(api, '/api/confirm-claim', reset)).toMatchObject({ status: 410 });
    expect(await callWith(api, '/api/confirmresetdevices', claim)).toMatchObject({ status: 410 });
    expect(await listBound(db())).toHaveLength(1);
  });
});

test.each([
  { why: 'nothing was reset', ago: [], next: null },
  { why: 'the last reset was almost seven days ago', ago: [7 * DAY - 1], next: AT + 1 },
  { why: 'the last reset was seven days ago', ago: [7 * DAY], next: null },
  { why: 'two resets were in thirty days', ago: [8 * DAY, 16 * DAY], next: null },
  { why: 'three resets were in thirty days', ago: [8 * DAY, 16 * DAY, 24 * DAY], next: AT + 6 * DAY },
  { why: 'the first of three was thirty days ago', ago: [8 * DAY, 16 * DAY, 30 * DAY], next: null },
  { why: 'the later one of both limits decides', ago: [29 * DAY, 28 * DAY, 1 * DAY], next: AT + 6 * DAY },
])('the time of the next reset is calculated when $why', ({ ago, next }) => {
  const done = ago.map((ms) => AT - ms);

  expect(nextReset(done, LIMITS, AT)).toBe(next);
  expect(nextReset([...done].reverse(), LIMITS, AT)).toBe(next);
});
