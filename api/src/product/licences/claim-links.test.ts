import { expect, test } from 'vitest';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { createMailQueue } from '#api/product/mail/mail-queue.ts';
import { createTestApi, TEST_PEPPER } from '#api/test/create-test-api.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { emails, insertLicence, pseudonyms } from '#api/test/product/insert-licence.ts';
import {
  askForClaim,
  askForReset,
  listBound,
  callWith,
  EMAIL,
  LAPTOP,
  listEvents,
  kindsOf,
  openWithLicence,
  PHONE,
  readAnswer,
  readToken,
  TABLET,
} from '#api/test/product/link-steps.ts';
import { createLinkDeviceCipher } from './links.ts';
import { requestClaim } from './claim-links.ts';

describeEachDatabase('device links of a plan', (db) => {
  test('a device link adds a device to a free slot of the plan, and its owner is notified', async () => {
    const api = await openWithLicence(db(), [PHONE]);
    const token = await askForClaim(api, TABLET);
    expect((await api.mails()).at(-1)).toMatchObject({ kind: 'claim-link', to: EMAIL });

    expect(await callWith(api, '/api/claim-details', token)).toMatchObject({
      status: 200,
      device: 'tablet-o…wner',
      plan: { id: 'plus' },
      freePlaces: 1,
      places: 2,
      isBound: false,
    });
    expect(await listBound(db())).toHaveLength(1);
    expect(await callWith(api, '/api/confirm-claim', token)).toMatchObject({ status: 200, plan: { id: 'plus' } });

    expect(await listBound(db())).toHaveLength(2);
    expect(await listEvents(db())).toEqual(['claimed']);
    expect((await api.mails()).at(-1)).toMatchObject({ kind: 'device-added', to: EMAIL });
    expect(await callWith(api, '/api/confirm-claim', token)).toMatchObject({ status: 410 });
    expect(JSON.stringify(await db().selectFrom('resetRequest').selectAll().execute())).not.toContain(TABLET);
  });

  test('a device link for a device of the plan uses no second slot', async () => {
    const api = await openWithLicence(db());
    const token = await askForClaim(api, PHONE);

    expect(await callWith(api, '/api/claim-details', token)).toMatchObject({ isBound: true, freePlaces: 0 });
    expect(await callWith(api, '/api/confirm-claim', token)).toMatchObject({ status: 200 });
    expect(await listBound(db())).toHaveLength(2);
    expect(await kindsOf(api)).toEqual(['claim-link']);
  });

  test('a plan without a free slot rejects a device link until its devices are reset', async () => {
    const api = await openWithLicence(db());
    const token = await askForClaim(api, LAPTOP);

    expect(await callWith(api, '/api/confirm-claim', token)).toMatchObject({ status: 409, code: 'CLM_FULL' });
    expect(await listBound(db())).toHaveLength(2);
    await callWith(api, '/api/confirmresetdevices', await askForReset(api));
    expect(await callWith(api, '/api/confirm-claim', token)).toMatchObject({ status: 200 });
    expect(await listBound(db())).toHaveLength(1);
  });

  test('a device link expires with the next link for the same device, and not with one for another device', async () => {
    const api = await openWithLicence(db(), [PHONE]);
    const older = await askForClaim(api, TABLET);
    api.pass(5000);
    const newer = await askForClaim(api, TABLET);
    await askForClaim(api, LAPTOP);

    expect(await callWith(api, '/api/claim-details', older)).toMatchObject({ status: 410, code: 'RST_TOKEN' });
    expect(await callWith(api, '/api/confirm-claim', older)).toMatchObject({ status: 410, code: 'RST_TOKEN' });
    expect(await callWith(api, '/api/confirm-claim', newer)).toMatchObject({ status: 200 });
    expect(await listBound(db())).toHaveLength(2);
  });

  test('threat 28: visitors of ten networks neither end the device link of an owner nor block new requests by the owner', async () => {
    const api = await createTestApi({ db: db(), trustedHops: 1 });
    await insertLicence(db(), { email: EMAIL, startsAt: api.now() - 1, hwids: [PHONE] });
    const ask = (address: string, hwid: string) =>
      api.ask('/api/claim-plan', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ email: EMAIL, hwid }),
      });
    await ask('198.51.100.1', TABLET);
    await expect.poll(async () => (await api.mails()).length).toBe(1);
    const token = await readToken(api);

    for (let nth = 0; nth < 28; nth++)
      expect((await ask(`192.0.${String(nth % 10)}.1`, `stranger-${String(nth)}`)).status).toBe(204);
    await expect.poll(async () => (await api.mails()).length).toBe(29);

    expect((await ask('198.51.100.1', LAPTOP)).status).toBe(204);
    await expect.poll(async () => (await api.mails()).length).toBe(30);
    expect(await callWith(api, '/api/confirm-claim', token)).toMatchObject({ status: 200 });
  });

  test('threat 28: a mailbox has at most thirty valid device links at a time', async () => {
    const api = await openWithLicence(db(), [PHONE]);
    const licences = {
      db: db(),
      emails,
      linkDevices: createLinkDeviceCipher(TEST_PEPPER),
      pseudonyms,
      mailQueue: createMailQueue(TEST_PEPPER),
      baseUrl: () => api.origin,
      now: api.now,
    };

    for (let nth = 0; nth < 31; nth++) await requestClaim(licences, { email: EMAIL, hwid: `device-${String(nth)}` });

    expect(await api.mails()).toHaveLength(30);
    const devices = await db().selectFrom('device').select('hwidHmac').execute();
    expect(devices.map(({ hwidHmac }) => hwidHmac)).not.toContain(pseudonyms.hwid('device-30'));
  });

  test('two devices that take the last slot at once are limited to one', async () => {
    const api = await openWithLicence(db(), [PHONE]);
    const tokens = [await askForClaim(api, TABLET), await askForClaim(api, LAPTOP)];

    const answers = await Promise.all(tokens.map((token) => callWith(api, '/api/confirm-claim', token)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await listBound(db())).toHaveLength(2);
  });

  test('threat 28: a visitor who requests a device link learns nothing about the plan and is limited to three requests a day', async () => {
    const api = await openWithLicence(db());
    const ask = async (email: string, hwid: string) => readAnswer(await api.post('/api/claim-plan', { email, hwid }));

    expect(await ask('stranger@example.com', LAPTOP)).toEqual({ status: 204 });
    for (let times = 1; times <= 3; times++) {
      expect(await ask(EMAIL, PHONE)).toEqual({ status: 204 });
      await expect.poll(async () => (await api.mails()).length).toBe(times);
      api.pass(5000);
    }
    expect(await ask('ADA@example.com', PHONE)).toMatchObject({ status: 429, code: 'KS_LIMIT' });
    expect((await api.mails()).every(({ to }) => to === EMAIL)).toBe(true);
    expect(await createDevicesRepository(db()).findAll(pseudonyms.hwid(LAPTOP))).toEqual([]);
  });

  test('a request repeated by the browser sends no second mail, and a request for another device does', async () => {
    const api = await openWithLicence(db());
    const first = await askForClaim(api, PHONE);
    await api.post('/api/claim-plan', { email: EMAIL, hwid: PHONE });
    await askForClaim(api, TABLET);

    expect(await kindsOf(api)).toEqual(['claim-link', 'claim-link']);
    expect(await callWith(api, '/api/claim-details', first)).toMatchObject({ status: 200 });
  });

  test.each([
    { body: { email: 'no address', hwid: PHONE }, code: 'request.invalid' },
    { body: { email: EMAIL, hwid: '<b>' }, code: 'KS_HWID' },
    { body: { email: EMAIL }, code: 'KS_HWID' },
  ])('a request with $body sends no device link: $code', async ({ body, code }) => {
    const api = await createTestApi({ db: db() });

    expect(await readAnswer(await api.post('/api/claim-plan', body))).toMatchObject({ status: 400, code });
  });
});
