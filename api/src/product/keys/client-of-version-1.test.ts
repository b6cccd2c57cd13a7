import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { HWID, passCaptcha, walkStep, ZONE } from '#api/test/product/visitor-steps.ts';
import { KeyClient, type KeyAnswer, Refusal } from '#api/test/product/key-client-of-version-1.ts';

/** The client as authors copied it in November 2026. It goes when version 1 ends. */
const PUBLISHED_HASH = '8277025fe65a8dc93ba1e9055a4f6c91a7b5afb6ef35e6d98781457d7a12c8f9';

test('the client of version 1 is unchanged since its publication', () => {
  const text = readFileSync(new URL('../../test/product/key-client-of-version-1.ts', import.meta.url));

  expect(createHash('sha256').update(text).digest('hex')).toBe(PUBLISHED_HASH);
});

test('the client of version 1 gets each step and its key and checks the key', async () => {
  const api = await createTestApi();
  await passCaptcha(api);
  let step = 0;
  const wait = () => walkStep(api, ++step === 1 ? {} : { step });
  const client = new KeyClient({ site: api.origin, app: 'main', hwid: HWID, zone: ZONE, wait });
  const heard: KeyAnswer[] = [];

  const answer = await client.waitForKey((each) => heard.push(each));

  expect(heard.map((each) => ('step' in each ? each.step : each.status))).toEqual(['none', 2, 3, 4, 5, 6, 'active']);
  if (answer.status !== 'active') throw new Error(answer.status);
  expect(await client.checkOnline(answer.key)).toEqual({
    valid: true,
    code: 'VALID',
    app: 'main',
    expiresAt: answer.expiresAt,
    now: api.now(),
  });
  expect((await client.publicKeys()).keys).toMatchObject([{ kid: 'test-key', crv: 'Ed25519' }]);
  expect(client.highWater).toBe(api.now() / 1000);
});

test('the client of version 1 gets the code of a rejection', async () => {
  const api = await createTestApi();
  const client = new KeyClient({ site: api.origin, app: 'main', hwid: 'short', zone: ZONE });

  const refused = await client.askForKey().catch((error: unknown) => error);

  expect(refused).toBeInstanceOf(Refusal);
  expect(refused).toMatchObject({ code: 'KS_HWID' });
});
