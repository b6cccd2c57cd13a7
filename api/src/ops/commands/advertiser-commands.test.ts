import { expect, test } from 'vitest';
import { createAdvertisersRepository } from '#api/product/advertisers/advertisers.repository.ts';
import { openTerminal as open } from '#api/test/programs/open-terminal.ts';
import { readState } from '#api/test/product/visitor-steps.ts';

test('an operator turns an advertiser off and on, and the list shows its state and its circuit', async () => {
  const { api, say, type, listAudit } = await open();
  await createAdvertisersRepository(api.db).noteFailing('rinku', Date.UTC(2026, 10, 21, 12));

  expect(await say('advertiser', 'off', 'workink', '--by', 'grace')).toEqual([0, 'Work.ink is off.']);
  expect((await type('advertiser', 'list')).out).toMatch(
    /^advertiser {3}is {3}health +proof .*\n(.*\n)*workink {6}off {2}well +token {7}15 s$/m,
  );
  expect((await type('advertiser', 'list')).out).toContain('failing since 2026-11-21 12:00:00Z');
  expect(await readState(api)).toMatchObject({
    advertisers: expect.arrayContaining([{ id: 'workink', ok: false }]) as unknown,
  });
  expect(await say('advertiser', 'off', 'workink')).toEqual([1, 'Work.ink is off already; nothing was changed.']);

  expect(await say('advertiser', 'on', 'workink')).toEqual([0, 'Work.ink is on.']);
  expect(await readState(api)).toMatchObject({
    advertisers: expect.arrayContaining([{ id: 'workink', ok: true }]) as unknown,
  });
  expect((await listAudit()).map(({ code, detail }) => `${code} ${detail}`)).toEqual([
    'disabled {"advertiser":"workink","by":"grace"}',
    'enabled {"advertiser":"workink","by":"ada"}',
  ]);
});
