import { keyAnswerSchema } from '@app/contracts/app-calls';
import { runStateSchema } from '@app/contracts/key-system-schemas';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { sealAudit } from '#api/test/sealed.ts';
import { openBrowser } from '#api/test/speak-as.ts';
import {
  clickComplete,
  finishAtAdvertiser,
  HWID,
  passCaptcha,
  readState,
  requireLocation,
  walkRun,
  walkStep,
  WHO,
  ZONE,
} from '#api/test/product/visitor-steps.ts';
import { beginRun, keyFor, NEW_ZONE, walkOn } from '#api/test/product/zone-steps.ts';

const MAIN_ADVERTISERS = ['rinku', 'workink', 'lootlabs', 'linkvertise', 'lootlabs', 'linkvertise'];

describeEachDatabase('a complete run', (db) => {
  test('six steps through every advertiser end with a key that is valid for 24 hours', async () => {
    const api = await createTestApi({ db: db() });
    expect(v.parse(runStateSchema, await readState(api))).toMatchObject({ run: null, key: null, stepsRequired: 6 });
    await passCaptcha(api, { os: 'android_vng' });

    const pages: string[] = [];
    for (const [index, advertiser] of MAIN_ADVERTISERS.entries()) {
      pages.push(await walkStep(api, { advertiser, os: 'Android_VNG', ...(index > 0 && { step: index + 1 }) }));
      const { run } = v.parse(runStateSchema, await readState(api));
      if (index === 3) expect(run).toMatchObject({ step: 5, of: 6, series: 2, waiting: false });
    }

    expect(pages).toEqual([
      `/key-system-2?${WHO}&os=android_vng&advertiser=linkvertise`,
      `/key-system-3?${WHO}&os=android_vng&advertiser=workink`,
      `/key-system-4?${WHO}&os=android_vng&advertiser=linkvertise`,
      `/key-system-5?${WHO}&os=android_vng&advertiser=linkvertise`,
      `/key-system-6?${WHO}&os=android_vng&advertiser=lootlabs`,
      `/key-system-getkey?${WHO}&os=android_vng`,
    ]);

    const answer = v.parse(keyAnswerSchema, await (await api.ask(`/api/key?${WHO}`)).json());
    if (answer.status !== 'active') throw new Error(`The key is not there: ${answer.status}`);
    expect(Math.round((answer.expiresAt - api.now()) / 1000 / 60)).toBe(24 * 60);
    const verdict = await (await api.post('/api/key/verify', { key: answer.key, hwid: HWID })).json();
    expect(verdict).toMatchObject({ valid: true, code: 'VALID', app: 'main' });
  });

  test('three steps of the companion app end with a key for it', async () => {
    const api = await createTestApi({ db: db() });
    await passCaptcha(api, { os: 'ios' });

    const pages = [
      await walkStep(api, { companion: true }),
      await walkStep(api, { companion: true, step: 2 }),
      await walkStep(api, { companion: true, step: 3 }),
    ];

    expect(pages).toEqual([
      `/rosaverx/key-system-2?${WHO}&advertiser=linkvertise`,
      `/rosaverx/key-system-3?${WHO}&advertiser=linkvertise`,
      `/rosaverx/key-system-getkey?${WHO}`,
    ]);
    expect(await (await api.ask(`/api/key?${WHO}&app=companion`)).json()).toMatchObject({ status: 'active' });
    expect(await (await api.ask(`/api/key?${WHO}&app=main`)).json()).toMatchObject({ status: 'none' });
  });
});

test('database, audit and log contain no device id, zone or ticket', async () => {
  const api = await createTestApi();
  await walkRun(api);
  await sealAudit(api.db);

  const device = await api.db.selectFrom('device').selectAll().executeTakeFirstOrThrow();
  const { jws } = await api.db.selectFrom('accessKey').selectAll().executeTakeFirstOrThrow();
  const events = await api.db.selectFrom('auditEvent').selectAll().where('kind', '<>', 'signing_key').execute();
  expect(new Set(events.map(({ subject }) => subject))).toEqual(new Set([device.id]));
  for (const secret of [HWID, ZONE, device.hwidHmac, jws]) expect(JSON.stringify(events)).not.toContain(secret);

  for (const table of ['device', 'run', 'stepAttempt', 'accessKey', 'captchaPass'] as const) {
    const rows = JSON.stringify(await api.db.selectFrom(table).selectAll().execute());
    for (const secret of [HWID, ZONE]) expect(rows, table).not.toContain(secret);
  }

  const log = api.logged.join('');
  expect(log).toContain('"path":"/api/keysystem/return/***"');
  expect(log).not.toMatch(/device-1234|zone-1|hash=|[A-Za-z0-9_-]{43}/);
});

test('the browser that started a run moves it to the new zone of the app, and its key is given to that zone only', async () => {
  const api = await createTestApi();
  const owner = await beginRun(api);
  expect(await readState(owner, { zone: NEW_ZONE })).toMatchObject({ run: { step: 2, zone: 'moves' } });

  expect(await walkStep(owner, { step: 2, zone: NEW_ZONE })).toBe(
    `/key-system-3?hwid=${HWID}&zone=${NEW_ZONE}&advertiser=linkvertise`,
  );
  await walkOn(owner, 3, { zone: NEW_ZONE });

  expect([await keyFor(api, NEW_ZONE), await keyFor(api, ZONE)]).toEqual(['active', 'none']);
});

test('another visitor with another zone earns a separate key while the run is open', async () => {
  const api = await createTestApi();
  const owner = await beginRun(api);
  const link = await clickComplete(owner, { step: 2 });
  const stranger = openBrowser(api);
  await passCaptcha(stranger);
  await walkStep(stranger, { zone: NEW_ZONE, run: 'new' });

  expect(requireLocation(await owner.visit(await finishAtAdvertiser(owner, link)))).toBe(
    `/key-system-3?${WHO}&advertiser=linkvertise`,
  );
  await walkOn(stranger, 2, { zone: NEW_ZONE });
  expect(await walkOn(owner, 3, {})).toContain('/key-system-getkey?');
  expect([await keyFor(api, NEW_ZONE), await keyFor(api, ZONE)]).toEqual(['active', 'active']);
});
