import { expect, test } from 'vitest';
import { createDevicesRepository } from '#api/features/devices/devices.repository.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { describeEachDatabase } from '#api/test/describe-each-database.ts';
import { pseudonyms } from '#api/test/insert-licence.ts';
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
  TABLET,
} from '#api/test/link-steps.ts';

describeEachDatabase('links that add a device to a plan', (db) => {
  test('a device takes a free place of the plan by a link, and its owner is told', async () => {
    const api = await openWithLicence(db(), [PHONE]);
    const token = await askForClaim(api, TABLET);
    expect((await api.mails()).at(-1)).toMatchObject({ kind: 'claim-link', to: EMAIL });

    expect(await callWith(api, '/api/claim-details', token)).toMatchObject({
      status: 200,
      device: 'bbbbbbbb…bbbb',
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

  test('a device that is on the plan already stays there, and takes no second place', async () => {
    const api = await openWithLicence(db());
    const token = await askForClaim(api, PHONE);

    expect(await callWith(api, '/api/claim-details', token)).toMatchObject({ isBound: true, freePlaces: 0 });
    expect(await callWith(api, '/api/confirm-claim', token)).toMatchObject({ status: 200 });
    expect(await listBound(db())).toHaveLength(2);
    expect(await kindsOf(api)).toEqual(['claim-link']);
  });

  test('a plan without a free place takes no device, until its devices are reset', async () => {
    const api = await openWithLicence(db());
    const token = await askForClaim(api, LAPTOP);

    expect(await callWith(api, '/api/confirm-claim', token)).toMatchObject({ status: 409, code: 'CLM_FULL' });
    expect(await listBound(db())).toHaveLength(2);
    await callWith(api, '/api/confirmresetdevices', await askForReset(api));
    expect(await callWith(api, '/api/confirm-claim', token)).toMatchObject({ status: 200 });
    expect(await listBound(db())).toHaveLength(1);
  });

  test('a link ends with the next one of the address, also when that is for another device', async () => {
    const api = await openWithLicence(db(), [PHONE]);
    const [older, newer] = [await askForClaim(api, TABLET), await askForClaim(api, LAPTOP)];

    expect(await callWith(api, '/api/claim-details', older)).toMatchObject({ status: 410, code: 'RST_TOKEN' });
    expect(await callWith(api, '/api/confirm-claim', older)).toMatchObject({ status: 410, code: 'RST_TOKEN' });
    expect(await callWith(api, '/api/confirm-claim', newer)).toMatchObject({ status: 200 });
    expect(await listBound(db())).toHaveLength(2);
  });

  test('a device that was added is no reset: the devices can be reset at once', async () => {
    const api = await openWithLicence(db(), [PHONE]);
    await callWith(api, '/api/confirm-claim', await askForClaim(api, TABLET));
    const token = await askForReset(api);

    expect(await callWith(api, '/api/reset-details', token)).toMatchObject({ status: 200, nextAt: null });
    expect(await callWith(api, '/api/confirmresetdevices', token)).toEqual({ status: 204 });
    expect(await listBound(db())).toEqual([]);
  });

  test('of two devices for the last place at once, one gets it', async () => {
    const api = await openWithLicence(db(), [PHONE]);
    const tokens = [await askForClaim(api, TABLET)];
    // A later request ends the links before it, so the second link is kept by hand.
    await db().updateTable('resetRequest').set({ licenceId: null }).execute();
    tokens.push(await askForClaim(api, LAPTOP));
    await db().updateTable('resetRequest').set({ licenceId: 'licence' }).execute();

    const answers = await Promise.all(tokens.map((token) => callWith(api, '/api/confirm-claim', token)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await listBound(db())).toHaveLength(2);
  });

  test('threat 28: whoever asks for a link of a plan is told nothing, and three times a day is enough', async () => {
    const api = await openWithLicence(db());
    const ask = async (email: string, hwid: string) => readAnswer(await api.post('/api/claim-plan', { email, hwid }));

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

    expect(await readAnswer(await api.post('/api/claim-plan', body))).toMatchObject({ status: 400, code });
  });
});
