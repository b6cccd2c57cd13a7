import { expect, test } from 'vitest';
import { T0 } from '#api/test/build-rows.ts';
import { TEST_PEPPER } from '#api/test/create-test-api.ts';
import { describeEachDatabase, describeRace, runConcurrently } from '#api/test/databases/describe-each-database.ts';
import { emails, insertLicence } from '#api/test/product/insert-licence.ts';
import { createMailQueue } from '#api/product/mail/mail-queue.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { createLicencesRepository } from './licences.repository.ts';
import { remindOwners } from './reminders.ts';

const DAY = 24 * 60 * 60 * 1000;
const END = T0 + 30 * DAY;
const mailQueue = createMailQueue(TEST_PEPPER);

const remind = (db: Db, at: number) =>
  remindOwners({ db, emails, mailQueue, baseUrl: () => 'https://site.example', now: () => at }, 10);

async function mails(db: Db) {
  const rows = await db.selectFrom('mail').selectAll().orderBy('id').execute();
  return rows.map((row) => mailQueue.open(row));
}

describeEachDatabase('reminders before a plan ends', (db) => {
  async function insert({ wants = true } = {}): Promise<void> {
    await insertLicence(db(), { startsAt: T0 });
    await createLicencesRepository(db()).setReminder('licence', wants);
  }

  test('an owner who agreed is reminded once, from three days before the end', async () => {
    await insert();

    expect(await remind(db(), END - 3 * DAY - 1)).toBe(0);
    expect(await remind(db(), END - 3 * DAY)).toBe(1);
    expect(await remind(db(), END - 2 * DAY)).toBe(0);

    const [mail, ...others] = await mails(db());
    expect(mail).toMatchObject({ kind: 'reminder', to: 'ada@example.com' });
    expect(mail?.subject).toMatch(/^Your Plus plan ends on \w+day$/);
    expect(others).toEqual([]);
  });

  test('an owner who paid in Vietnam is reminded in Vietnamese with local times', async () => {
    await insert();
    await db().updateTable('purchaseOrder').set({ countryCode: 'VN', paidAt: T0 }).execute();
    await remind(db(), END - DAY);

    const [mail] = await mails(db());
    expect(mail?.html).toContain('<html lang="vi">');
    expect(mail?.text).toContain('UTC+7');
  });

  test('an owner is not reminded without consent, or when the plan has ended or was revoked', async () => {
    await insert({ wants: false });
    expect(await remind(db(), END - DAY)).toBe(0);

    await createLicencesRepository(db()).setReminder('licence', true);
    expect(await remind(db(), END)).toBe(0);
    await db().updateTable('licencePeriod').set({ revokedAt: T0 }).execute();
    expect(await remind(db(), END - DAY)).toBe(0);
  });

  test('a renewed plan is reminded of again at its new end', async () => {
    await insert();
    expect(await remind(db(), END - DAY)).toBe(1);
    await db()
      .updateTable('licencePeriod')
      .set({ endsAt: END + 30 * DAY })
      .execute();

    expect(await remind(db(), END - DAY)).toBe(0);
    expect(await remind(db(), END + 28 * DAY)).toBe(1);
    expect(await mails(db())).toHaveLength(2);
  });
});

describeRace('two servers that send reminders at once', (db) => {
  test('two simultaneous servers send one reminder', async () => {
    await insertLicence(db(), { startsAt: T0 });
    const licences = createLicencesRepository(db());
    await licences.setReminder('licence', true);

    const queued = await runConcurrently(
      db(),
      (trx) => createLicencesRepository(trx).noteReminder('licence', END),
      () => remind(db(), END - DAY),
    );

    expect(queued).toBe(0);
    expect(await mails(db())).toEqual([]);
  });
});
