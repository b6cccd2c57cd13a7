import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { leaveForLootlabs } from '#api/test/product/leave-for-lootlabs.ts';
import {
  finishAtAdvertiser,
  HWID,
  LONG_ENOUGH_MS,
  passCaptcha,
  clickComplete,
  readState,
  requireLocation,
  walkStep,
  WHO,
  ZONE,
} from '#api/test/product/visitor-steps.ts';
import { createTicket, hashTicket, sealVisitor } from '#api/product/key-system/ticket.ts';

const QUARTER_MS = 15 * 60_000;

test('threat 11: a call that was noted by a server which then ended counts once the visitor is back', async () => {
  const { api, postBack } = await leaveForLootlabs();
  const back = `/api/keysystem/return/${(await replaceTicket(api)).ticket}`;
  api.pass(LONG_ENOUGH_MS);
  await api.visit(back);
  await api.db.updateTable('stepAttempt').set({ postbackAt: api.now(), providerRef: 'task-1' }).execute();
  expect(await readState(api)).toMatchObject({ run: { step: 1, waiting: true } });

  expect(requireLocation(await api.visit(back))).toBe(`/key-system-2?${WHO}&advertiser=lootlabs`);
  expect(await readState(api)).toMatchObject({ run: { step: 2, waiting: false } });
  await postBack({});
  expect(await readState(api)).toMatchObject({ run: { step: 2 } });
});

test('T3c: without a call the return leads to the waiting page, however often it is opened', async () => {
  const api = await createTestApi();
  await passCaptcha(api);

  const page = await walkStep(api, { advertiser: 'lootlabs' }, 'no_postback');

  expect(page).toBe(`/key-system-1?${WHO}&advertiser=lootlabs&wait=1`);
  expect(await readState(api)).toMatchObject({ run: { step: 1, waiting: true } });
});

test('T9: a visitor who waits for a postback is told at the very end of the ticket’s time that it took too long', async () => {
  const api = await createTestApi();
  await passCaptcha(api);
  const link = await clickComplete(api, { advertiser: 'lootlabs' });
  api.pass(LONG_ENOUGH_MS);
  const address = await finishAtAdvertiser(api, link, 'no_postback');
  await api.visit(address);

  api.pass(QUARTER_MS - LONG_ENOUGH_MS - 1);
  expect(requireLocation(await api.visit(address))).toContain('wait=1');
  api.pass(1);
  expect(requireLocation(await api.visit(address))).toBe(`/key-system-1?${WHO}&advertiser=lootlabs&e=KS_EXPIRED`);
  expect(await readState(api)).toMatchObject({ run: { step: 1, waiting: false } });
});

test('T3c: a return whose attempt is released while it looks up the postback is no confirmation; it is retried', async () => {
  const { api, postBack } = await leaveForLootlabs();
  const { ticket } = await replaceTicket(api);
  await whenClaimed(api, "state = 'issued'");
  api.pass(LONG_ENOUGH_MS);

  const early = await api.visit(`/api/keysystem/return/${ticket}`);
  expect([early.status, early.headers.get('refresh')]).toEqual([200, '3']);
  expect(await readState(api)).toMatchObject({ run: { step: 1 } });

  await sql`DROP TRIGGER meanwhile`.execute(api.db);
  await postBack({});
  expect(requireLocation(await api.visit(`/api/keysystem/return/${ticket}`))).toBe(
    `/key-system-2?${WHO}&advertiser=lootlabs`,
  );
});

test('T3c: a return whose call is noted while it looks for it is confirmed', async () => {
  const { api } = await leaveForLootlabs();
  const { ticket } = await replaceTicket(api);
  await whenClaimed(api, "postback_at = 1, provider_ref = 'task-1'");
  api.pass(LONG_ENOUGH_MS);

  expect(requireLocation(await api.visit(`/api/keysystem/return/${ticket}`))).toBe(
    `/key-system-2?${WHO}&advertiser=lootlabs`,
  );
  // The task's id stays stored, so the task counts for no other visit.
  expect(await api.db.selectFrom('stepAttempt').select('providerRef').execute()).toEqual([{ providerRef: 'task-1' }]);
});

/** Gives the only attempt a ticket that the test knows; its real one is encrypted in LootLabs' link. */
async function replaceTicket(api: TestApi): Promise<{ ticket: string }> {
  const ticket = createTicket();
  const { id } = await api.db.selectFrom('stepAttempt').select('id').executeTakeFirstOrThrow();
  const sealedContext = sealVisitor(ticket, id, { hwid: HWID, zone: ZONE });
  await api.db
    .updateTable('stepAttempt')
    .set({ tokenHash: hashTicket(ticket), sealedContext })
    .execute();
  return { ticket };
}

/** Changes the attempt at the moment at which a return claims it. */
async function whenClaimed(api: TestApi, change: string): Promise<void> {
  await sql
    .raw(
      `CREATE TRIGGER meanwhile AFTER UPDATE OF state ON step_attempt WHEN NEW.state = 'checking'
    BEGIN UPDATE step_attempt SET ${change} WHERE id = NEW.id; END`,
    )
    .execute(api.db);
}
