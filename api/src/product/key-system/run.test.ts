import { keyAnswerSchema } from '@app/contracts/app-calls';
import { runStateSchema } from '@app/contracts/key-system-schemas';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { HWID, passCaptcha, readState, walkStep } from '#api/test/product/visitor-steps.ts';

const MAIN_WAY = ['rinku', 'workink', 'lootlabs', 'linkvertise', 'lootlabs', 'linkvertise'];

describeEachDatabase('a whole run', (db) => {
  test('six steps through every advertiser end with a key that works for 24 hours', async () => {
    const api = await createTestApi({ db: db() });
    await passCaptcha(api);

    const pages: string[] = [];
    for (const [index, advertiser] of MAIN_WAY.entries()) {
      pages.push(await walkStep(api, { advertiser, ...(index === 0 ? {} : { step: index + 1 }) }));
    }

    const who = 'hwid=device-1234&zone=zone-1';
    expect(pages).toEqual([
      `/key-system-2?${who}&advertiser=linkvertise`,
      `/key-system-3?${who}&advertiser=workink`,
      `/key-system-4?${who}&advertiser=linkvertise`,
      `/key-system-5?${who}&advertiser=linkvertise`,
      `/key-system-6?${who}&advertiser=lootlabs`,
      `/key-system-getkey?${who}`,
    ]);

    const answer = v.parse(keyAnswerSchema, await (await api.ask(`/api/key?${who}`)).json());
    if (answer.status !== 'active') throw new Error(`The key is not there: ${answer.status}`);
    expect(Math.round((answer.expiresAt - api.now()) / 1000 / 60)).toBe(24 * 60);
    const verdict = await (await api.post('/api/key/verify', { key: answer.key, hwid: HWID })).json();
    expect(verdict).toMatchObject({ valid: true, code: 'VALID', app: 'main' });
  });

  test('three steps of the companion end with its own key', async () => {
    const api = await createTestApi({ db: db() });
    await passCaptcha(api, { os: 'ios' });

    const pages = [
      await walkStep(api, { companion: true }),
      await walkStep(api, { companion: true, step: 2 }),
      await walkStep(api, { companion: true, step: 3 }),
    ];

    const who = 'hwid=device-1234&zone=zone-1';
    expect(pages).toEqual([
      `/rosaverx/key-system-2?${who}&advertiser=linkvertise`,
      `/rosaverx/key-system-3?${who}&advertiser=linkvertise`,
      `/rosaverx/key-system-getkey?${who}`,
    ]);
    expect(await (await api.ask(`/api/key?${who}&app=companion`)).json()).toMatchObject({ status: 'active' });
    expect(await (await api.ask(`/api/key?${who}&app=main`)).json()).toMatchObject({ status: 'none' });
  });

  test('the state tells what is done, what is next and what the key is worth', async () => {
    const api = await createTestApi({ db: db() });
    expect(v.parse(runStateSchema, await readState(api))).toMatchObject({ run: null, key: null, stepsRequired: 6 });

    await passCaptcha(api);
    await walkStep(api);

    const { run } = v.parse(runStateSchema, await readState(api));
    expect(run).toMatchObject({ step: 2, of: 6, series: 1, waiting: false });
    expect(run?.completed).toEqual([{ step: 1, advertiser: 'linkvertise', proof: 'token', at: api.now() }]);
  });
});
