import { expect, test } from 'vitest';
import type { Db } from '#api/db/schema.ts';
import { createDevicesRepository } from '#api/features/devices/devices.repository.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { describeEachDatabase } from '#api/test/describe-each-database.ts';
import { insertLicence, pseudonyms } from '#api/test/insert-licence.ts';

const EMAIL = 'ada@example.com';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const [PHONE, TABLET, LAPTOP] = ['a'.repeat(20), 'b'.repeat(20), 'c'.repeat(20)] as const;

const NO_TOKEN = 'z'.repeat(43);

/** The token of the newest mail's link. */
async function readToken(api: TestApi): Promise<string> {
  const mails = await api.mails();
  return /#t=([\w-]{43})$/m.exec(mails.at(-1)?.text ?? '')?.[1] ?? '';
}

async function askForReset(api: TestApi): Promise<string> {
  api.pass(1);
  expect((await api.post('/api/requestresetdevices', { email: EMAIL })).status).toBe(200);
  return readToken(api);
}

async function askForClaim(api: TestApi, hwid: string): Promise<string> {
  api.pass(1);
  const before = (await api.mails()).length;
  expect((await api.post('/api/claim-plan', { email: EMAIL, hwid })).status).toBe(204);
  await expect.poll(async () => (await api.mails()).length).toBe(before + 1);
  return readToken(api);
}

async function call(api: TestApi, path: string, token: unknown): Promise<Record<string, unknown>> {
  api.pass(1);
  return read(await api.post(path, { token }));
}

async function read(res: Response): Promise<Record<string, unknown>> {
  const body = res.status === 204 ? {} : ((await res.json()) as Record<string, unknown>);
  return { status: res.status, ...body };
}

const kindsOf = async (api: TestApi) => (await api.mails()).map(({ kind }) => kind);

describeEachDatabase('the links in mails', (db) => {
  async function openWithLicence(hwids: readonly string[] = [PHONE, TABLET]): Promise<TestApi> {
    const api = await createTestApi({ db: db() });
    await insertLicence(db(), { email: EMAIL, startsAt: api.now() - DAY, hwids });
    return api;
  }

  test('a reset unbinds all devices of the plan and ends its keys, and the plan goes on', async () => {
    const api = await openWithLicence();
    await insertLicence(db(), { id: 'second', email: EMAIL, startsAt: api.now() - DAY, hwids: [LAPTOP] });
    await insertLicence(db(), { id: 'other', email: 'eve@example.com', startsAt: api.now(), hwids: ['d'.repeat(20)] });
    const token = await askForReset(api);

    const details = await call(api, '/api/reset-details', token);
    expect(details).toMatchObject({
      status: 200,
      plan: { id: 'plus', until: expect.any(Number) as number },
      nextAt: null,
      expiresAt: api.now() - 1 + 30 * MINUTE,
    });
    expect(details['devices']).toHaveLength(3);
    expect(JSON.stringify(details)).not.toContain(PHONE);
    expect(await call(api, '/api/confirmresetdevices', token)).toEqual({ status: 204 });

    expect((await bound(db())).map(({ licenceId }) => licenceId)).toEqual(['other']);
    expect(await workingKeys(db())).toEqual([`key of ${'d'.repeat(20)}`]);
    expect(await events(db())).toEqual(['reset', 'reset']);
    expect((await api.mails()).at(-1)).toMatchObject({ kind: 'reset-done', to: EMAIL });
  });

  test('threat 29: a link works once, also when it is confirmed twice at once', async () => {
    const api = await openWithLicence();
    const token = await askForReset(api);

    const answers = await Promise.all([1, 2, 3].map(() => call(api, '/api/confirmresetdevices', token)));

    expect(answers.map(({ status }) => status).sort()).toEqual([204, 410, 410]);
    expect(await call(api, '/api/confirmresetdevices', token)).toMatchObject({ status: 410, code: 'RST_TOKEN' });
    expect(await call(api, '/api/reset-details', token)).toMatchObject({ status: 410, code: 'RST_TOKEN' });
    expect(await events(db())).toEqual(['reset']);
    expect((await kindsOf(api)).filter((kind) => kind === 'reset-done')).toHaveLength(1);
  });

  test('threat 29: what a mail scanner does with a link changes nothing', async () => {
    const api = await openWithLicence();
    const token = await askForReset(api);

    for (const path of ['/api/reset-details', '/api/confirmresetdevices', '/api/claim-details', '/api/confirm-claim']) {
      for (const method of ['GET', 'HEAD', 'PUT'])
        expect((await api.ask(`${path}?token=${token}`, { method })).status).toBe(405);
    }

    expect(await bound(db())).toHaveLength(2);
    expect(await call(api, '/api/confirmresetdevices', token)).toEqual({ status: 204 });
  });

  test('a link ends after half an hour, with the next one, and with the plan', async () => {
    const api = await openWithLicence();
    const late = await askForReset(api);
    api.pass(30 * MINUTE - 2);
    expect(await call(api, '/api/reset-details', late)).toMatchObject({ status: 200 });
    expect(await call(api, '/api/confirmresetdevices', late)).toMatchObject({ status: 410 });

    const older = await askForReset(api);
    const newer = await askForReset(api);
    expect(await call(api, '/api/confirmresetdevices', older)).toMatchObject({ status: 410 });
    await db().updateTable('licencePeriod').set({ revokedAt: api.now() }).execute();
    expect(await call(api, '/api/reset-details', newer)).toMatchObject({ status: 410 });
    expect(await call(api, '/api/confirmresetdevices', newer)).toMatchObject({ status: 410 });
    expect(await bound(db())).toHaveLength(2);
  });

  test.each(['', 'short', NO_TOKEN, `${NO_TOKEN}a`, 1, undefined])('%j is no token of a link', async (token) => {
    const api = await createTestApi({ db: db() });

    for (const path of ['/api/reset-details', '/api/confirmresetdevices', '/api/claim-details', '/api/confirm-claim']) {
      expect(await call(api, path, token)).toMatchObject({ status: 410, code: 'RST_TOKEN' });
    }
  });

  test('devices are reset once in seven days and three times in thirty; the mail and the page say when next', async () => {
    const api = await openWithLicence();
    await db()
      .updateTable('licencePeriod')
      .set({ endsAt: api.now() + 90 * DAY })
      .execute();
    const first = api.now() + 2;
    expect(await call(api, '/api/confirmresetdevices', await askForReset(api))).toEqual({ status: 204 });

    api.pass(6 * DAY);
    const early = await askForReset(api);
    expect((await api.mails()).at(-1)?.text).toContain('The next reset is possible from');
    expect(await call(api, '/api/reset-details', early)).toMatchObject({ nextAt: first + 7 * DAY });
    expect(await call(api, '/api/confirmresetdevices', early)).toMatchObject({
      status: 429,
      code: 'RST_LIMIT',
      until: first + 7 * DAY,
    });

    for (const week of [1, 2]) {
      api.pass(first + week * 7 * DAY + MINUTE - api.now());
      expect(await call(api, '/api/confirmresetdevices', await askForReset(api))).toEqual({ status: 204 });
    }
    api.pass(first + 21.1 * DAY - api.now());
    expect(await call(api, '/api/confirmresetdevices', await askForReset(api))).toMatchObject({
      status: 429,
      until: first + 30 * DAY,
    });
    api.pass(first + 30 * DAY - api.now());
    expect(await call(api, '/api/confirmresetdevices', await askForReset(api))).toEqual({ status: 204 });
  });

  test('a device takes a free place of the plan by a link, and its owner is told', async () => {
    const api = await openWithLicence([PHONE]);
    const token = await askForClaim(api, TABLET);
    expect((await api.mails()).at(-1)).toMatchObject({ kind: 'claim-link', to: EMAIL });

    expect(await call(api, '/api/claim-details', token)).toMatchObject({
      status: 200,
      device: 'bbbbbbbb…bbbb',
      plan: { id: 'plus' },
      freePlaces: 1,
      places: 2,
      isBound: false,
    });
    expect(await bound(db())).toHaveLength(1);
    expect(await call(api, '/api/confirm-claim', token)).toMatchObject({ status: 200, plan: { id: 'plus' } });

    expect(await bound(db())).toHaveLength(2);
    expect(await events(db())).toEqual(['claimed']);
    expect((await api.mails()).at(-1)).toMatchObject({ kind: 'device-added', to: EMAIL });
    expect(await call(api, '/api/confirm-claim', token)).toMatchObject({ status: 410 });
    expect(JSON.stringify(await db().selectFrom('resetRequest').selectAll().execute())).not.toContain(TABLET);
  });

  test('a device that is on the plan already stays there, and takes no second place', async () => {
    const api = await openWithLicence();
    const token = await askForClaim(api, PHONE);

    expect(await call(api, '/api/claim-details', token)).toMatchObject({ isBound: true, freePlaces: 0 });
    expect(await call(api, '/api/confirm-claim', token)).toMatchObject({ status: 200 });
    expect(await bound(db())).toHaveLength(2);
    expect(await kindsOf(api)).toEqual(['claim-link']);
  });

  test('a plan without a free place takes no device, until its devices are reset', async () => {
    const api = await openWithLicence();
    const token = await askForClaim(api, LAPTOP);

    expect(await call(api, '/api/confirm-claim', token)).toMatchObject({ status: 409, code: 'CLM_FULL' });
    expect(await bound(db())).toHaveLength(2);
    await call(api, '/api/confirmresetdevices', await askForReset(api));
    expect(await call(api, '/api/confirm-claim', token)).toMatchObject({ status: 200 });
    expect(await bound(db())).toHaveLength(1);
  });

  test('of two devices for the last place at once, one gets it', async () => {
    const api = await openWithLicence([PHONE]);
    const tokens = [await askForClaim(api, TABLET)];
    // A later request ends the links before it, so the second link is kept by hand.
    await db().updateTable('resetRequest').set({ licenceId: null }).execute();
    tokens.push(await askForClaim(api, LAPTOP));
    await db().updateTable('resetRequest').set({ licenceId: 'licence' }).execute();

    const answers = await Promise.all(tokens.map((token) => call(api, '/api/confirm-claim', token)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await bound(db())).toHaveLength(2);
  });

  test('threat 28: whoever asks for a link of a plan is told nothing, and three times a day is enough', async () => {
    const api = await openWithLicence();
    const ask = async (email: string, hwid: string) => read(await api.post('/api/claim-plan', { email, hwid }));

    expect(await ask('stranger@example.com', LAPTOP)).toEqual({ status: 204 });
    for (let times = 0; times < 3; times++) expect(await ask(EMAIL, PHONE)).toEqual({ status: 204 });
    expect(await ask('ADA@example.com', PHONE)).toMatchObject({ status: 429, code: 'KS_LIMIT' });

    await expect.poll(async () => (await api.mails()).length).toBe(3);
    expect((await api.mails()).every(({ to }) => to === EMAIL)).toBe(true);
    expect(await createDevicesRepository(db()).findAll(pseudonyms.hwid(LAPTOP))).toEqual([]);
  });

  test.each([
    { body: { email: 'nobody', hwid: PHONE }, code: 'request.invalid' },
    { body: { email: EMAIL, hwid: '<b>' }, code: 'KS_HWID' },
    { body: { email: EMAIL }, code: 'KS_HWID' },
  ])('$body asks for no link: $code', async ({ body, code }) => {
    const api = await createTestApi({ db: db() });

    expect(await read(await api.post('/api/claim-plan', body))).toMatchObject({ status: 400, code });
  });

  test('a link of one kind is no link of the other', async () => {
    const api = await openWithLicence([PHONE]);
    const [reset, claim] = [await askForReset(api), await askForClaim(api, TABLET)];

    expect(await call(api, '/api/confirm-claim', reset)).toMatchObject({ status: 410 });
    expect(await call(api, '/api/confirmresetdevices', claim)).toMatchObject({ status: 410 });
    expect(await bound(db())).toHaveLength(1);
  });
});

function bound(db: Db) {
  return db.selectFrom('licenceDevice').selectAll().where('unboundAt', 'is', null).execute();
}

async function workingKeys(db: Db): Promise<string[]> {
  const keys = await db.selectFrom('accessKey').select('jti').where('revokedAt', 'is', null).execute();
  return keys.map(({ jti }) => jti);
}

async function events(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('auditEvent').select('code').where('kind', '=', 'licence').orderBy('seq').execute();
  return rows.map(({ code }) => code);
}
