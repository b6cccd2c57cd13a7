import { expect, test } from 'vitest';
import { ProviderError } from '#api/foundation/http/call-provider.ts';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { createPresence } from '#api/server/live/presence.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { clickComplete, passCaptcha, readState, WHO } from '#api/test/product/visitor-steps.ts';
import { createAdvertisersRepository } from './advertisers.repository.ts';
import exampleSettings from './advertisers-settings.example.json' with { type: 'json' };

const SIGNING_KEY = readSigningKey(generateSigningKey('test-key'));

test('threat 12: an open circuit is shown to pages, logged, and stored until it closes', async () => {
  const rinku = { reply: undefined as string | undefined };
  const api = await createTestApi({
    advertisers: exampleSettings,
    callProvider: () =>
      rinku.reply === undefined
        ? Promise.reject(new ProviderError('down', { failure: 'unanswered' }))
        : Promise.resolve(rinku.reply),
  });
  const failingSince = async () => (await createAdvertisersRepository(api.db).get('rinku')).failingSince;
  await passCaptcha(api);
  for (let tries = 0; tries < 6; tries++)
    expect(await clickComplete(api, { advertiser: 'rinku' })).toBe(
      `/key-system-1?${WHO}&advertiser=rinku&e=KS_PROVIDER_DOWN`,
    );
  const { advertisers } = (await readState(api)) as { advertisers: { id: string; ok: boolean }[] };
  expect(advertisers.filter(({ ok }) => !ok)).toEqual([{ id: 'rinku', ok: false }]);
  await expect.poll(failingSince).toBe(api.now());
  expect(await clickComplete(api, { advertiser: 'linkvertise' })).toContain('https://link-to.net/');

  rinku.reply = '{"status":"success","shortenedUrl":"https://rinku.me/abc"}';
  api.pass(30_000);
  expect(await clickComplete(api, { advertiser: 'rinku' })).toBe('https://rinku.me/abc');
  await expect.poll(failingSince).toBeNull();
  const logged = api.logged.filter((line) => /advertiser circuit (open|closed)/.test(line));
  expect(logged.map((line) => (JSON.parse(line) as { state: string }).state)).toEqual(['open', 'closed']);
});

test('a server start resets open circuits unless another server is running', async () => {
  const { db } = await createTestApi({ signingKey: SIGNING_KEY });
  const rows = createAdvertisersRepository(db);
  await rows.noteFailing('rinku', 5);
  const other = createPresence({ db, name: 'another server' });

  await other.exchange(0);
  await createTestApi({ db, signingKey: SIGNING_KEY });
  expect((await rows.get('rinku')).failingSince).toBe(5);
  await other.leave();
  await createTestApi({ db, signingKey: SIGNING_KEY });
  expect((await rows.get('rinku')).failingSince).toBeNull();
});
