import { expect, test } from 'vitest';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { TEST_PEPPER } from '#api/test/create-test-api.ts';
import { openTerminal as open } from '#api/test/programs/open-terminal.ts';
import { HWID, walkRun } from '#api/test/product/visitor-steps.ts';

test('revoke ends a key by its jti or by its device, and only once', async () => {
  const { api, say, type, listAudit } = await open();
  await walkRun(api);
  await walkRun(api, { hwid: 'device-5678' });
  const keys = await api.db
    .selectFrom('accessKey')
    .innerJoin('device', 'device.id', 'accessKey.deviceId')
    .select(['jti', 'jws', 'hwidHmac'])
    .execute();
  const first = keys.find(({ hwidHmac }) => hwidHmac === createPseudonyms(TEST_PEPPER).hwid(HWID));
  const verify = async (jws = '', hwid = HWID) =>
    ((await (await api.post('/api/key/verify', { key: jws, hwid })).json()) as { code: string }).code;
  expect(await verify(first?.jws)).toBe('VALID');

  expect(await say('key', 'revoke', first?.jti ?? '', '--reason', 'sold', '--app', 'companion')).toEqual([
    1,
    'This key is of the main app; nothing was changed.',
  ]);
  expect(await verify(first?.jws)).toBe('VALID');

  expect(await say('key', 'revoke', first?.jti ?? '', '--reason', 'sold')).toEqual([
    0,
    `Revoked ${first?.jti ?? ''} of the main app.`,
  ]);
  expect(await verify(first?.jws)).toBe('REVOKED');
  expect(await say('key', 'revoke', first?.jti ?? '', '--reason', 'sold')).toEqual([
    1,
    'This key is revoked already; nothing was changed.',
  ]);

  const second = keys.find((key) => key !== first);
  expect(await verify(second?.jws, 'device-5678')).toBe('VALID');
  expect(await type('key', 'revoke', 'device-5678', '--reason', 'sold')).toMatchObject({ code: 0 });
  expect(await verify(second?.jws, 'device-5678')).toBe('REVOKED');
  expect(await say('key', 'revoke', 'device-5678', '--reason', 'sold')).toEqual([
    1,
    'This device has no key that works; nothing was changed.',
  ]);
  expect(await listAudit()).toHaveLength(2);
});
