import { expect, test } from 'vitest';
import {
  generateSigningKey,
  readSigningKey,
  type Signer,
  SignerUnavailable,
} from '#api/foundation/crypto/signing-key.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { insertLicence } from '#api/test/product/insert-licence.ts';
import { askForKey, verify } from '#api/test/product/key-calls.ts';
import {
  finishAtAdvertiser,
  LONG_ENOUGH_MS,
  passCaptcha,
  clickComplete,
  walkStep,
} from '#api/test/product/visitor-steps.ts';
import { creditConfirmed } from '#api/product/key-system/sweep-runs.ts';

const AWAY = () => Promise.reject(new SignerUnavailable('The signer is away.'));

/** A visitor who has finished the last step at the advertiser, while the signer is away. */
async function comeFromLastStep() {
  const key = readSigningKey(generateSigningKey('test-key'));
  const { kid, publicJwk } = key;
  const signer: Signer = { kid, publicJwk, sign: AWAY };
  const api = await createTestApi({ signingKey: signer });
  await passCaptcha(api);
  for (let step = 1; step <= 5; step++) await walkStep(api, step === 1 ? {} : { step });
  const link = await clickComplete(api, { step: 6 });
  api.pass(LONG_ENOUGH_MS);
  const address = await finishAtAdvertiser(api, link);
  const listKeys = () => api.db.selectFrom('accessKey').select('jti').execute();
  return { api, address, listKeys, mend: () => (signer.sign = key.sign) };
}

test('without a signer the last step answers 503 and is kept, and the visitor’s next request gets the key', async () => {
  const { api, address, listKeys, mend } = await comeFromLastStep();

  for (const attempt of ['first', 'second']) {
    const answer = await api.visit(address);
    expect([answer.status, answer.headers.get('retry-after')], attempt).toEqual([503, '3']);
  }
  expect(await listKeys()).toEqual([]);
  const { state, proofAt } = await api.db
    .selectFrom('stepAttempt')
    .select(['state', 'proofAt'])
    .where('step', '=', 6)
    .executeTakeFirstOrThrow();
  expect([state, proofAt]).toEqual(['issued', api.now()]);

  mend();
  expect((await api.visit(address)).status).toBeLessThan(400);
  expect(await verify(api, (await askForKey(api)).key)).toMatchObject({ code: 'VALID' });
  await api.visit(address);
  expect(await listKeys()).toHaveLength(1);
});

test('a proof that has counted before is refused while the signer is away, too', async () => {
  const { api } = await comeFromLastStep();
  const other = { hwid: 'device-5678' };
  await passCaptcha(api, other);
  await walkStep(api, other, 'same_proof');

  expect(await walkStep(api, { step: 6 }, 'same_proof')).toContain('r=KS_REUSE');
});

test('a visitor who does not come back gets the key from the sweeper', async () => {
  const { api, address, listKeys, mend } = await comeFromLastStep();
  await api.visit(address);

  await expect(creditConfirmed(api.keySystem, 10)).rejects.toThrow('The signer is away.');
  expect(await listKeys()).toEqual([]);
  mend();
  expect(await creditConfirmed(api.keySystem, 10)).toBe(1);

  expect(await verify(api, (await askForKey(api)).key)).toMatchObject({ code: 'VALID' });
});

test('a step that needs no signature is credited beside one that waits for it', async () => {
  const { api, address } = await comeFromLastStep();
  await api.visit(address);
  const other = { hwid: 'device-5678' };
  await passCaptcha(api, other);
  const link = await clickComplete(api, other);
  const returned = await finishAtAdvertiser(api, link);
  await api.visit(returned);
  api.pass(LONG_ENOUGH_MS);

  await expect(creditConfirmed(api.keySystem, 10)).rejects.toThrow('The signer is away.');

  const { step } = await api.db
    .selectFrom('run')
    .select('step')
    .where('state', '=', 'open')
    .orderBy('step')
    .executeTakeFirstOrThrow();
  expect(step).toBe(2);
});

test('a plan’s key is 503 while there is no signer', async () => {
  const { api, mend } = await comeFromLastStep();
  const hwid = 'device-with-plan';
  await insertLicence(api.db, { hwids: [hwid], startsAt: api.now() });
  await api.db.deleteFrom('accessKey').execute();

  const answer = await api.ask(`/api/key?hwid=${hwid}&zone=zone-1`);

  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  mend();
  expect(await askForKey(api, `hwid=${hwid}&zone=zone-1`)).toMatchObject({ status: 'active' });
});
