import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import type { Db, MailRow, WebhookDeliveryRow } from '#api/foundation/db/schema.ts';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import { createLoadReportsRepository } from '#api/delivery/canary/load-reports.repository.ts';
import { buildKey, buildPass, buildResetRequest, insertAttempt, insertRun, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createRetentionRepository, NETWORK_COLUMNS, OLD_ROWS } from './retention.repository.ts';

const GUIDE = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

describeEachDatabase('retention of rows', (db) => {
  const remove = (table: string, before: number, limit = 100) => {
    const rows = OLD_ROWS.find((old) => old.table === table);
    if (!rows) throw new Error(`Nothing says how long ${table} is kept.`);
    return createRetentionRepository(db()).remove(rows, before, limit);
  };
  const countOf = async (table: string) => (await sql.raw(`SELECT 1 FROM ${table}`).execute(db())).rows.length;

  /** A device's finished run with an attempt and a key that ends at T0. */
  async function finishRun(hwidHmac: string = randomUUID()): Promise<void> {
    const run = await insertRun(db(), { hwidHmac });
    await insertAttempt(db(), run);
    await db().updateTable('run').set({ state: 'completed' }).where('id', '=', run.id).execute();
    await createKeysRepository(db()).insert(buildKey(run, { expiresAt: T0 }));
  }

  test.each([
    { table: 'access_key', add: finishRun },
    { table: 'step_attempt', add: finishRun },
    { table: 'run', add: async () => void (await insertRun(db())) },
    { table: 'strike', add: () => addStrike(db()) },
    {
      table: 'captcha_pass',
      add: async () => void (await db().insertInto('captchaPass').values(buildPass()).execute()),
    },
    {
      table: 'reset_request',
      add: async () =>
        void (await db()
          .insertInto('resetRequest')
          .values(buildResetRequest({ licenceId: null }))
          .execute()),
    },
    { table: 'mail', add: () => addMail(db(), 'sent') },
    { table: 'webhook_event', add: () => addWebhookEvent(db()) },
    { table: 'webhook_delivery', add: () => addDelivery(db(), 'delivered') },
    { table: 'load_report', add: () => addLoadReport(db()) },
    { table: 'purchase_order', add: () => addOrder(db()) },
    { table: 'payment', add: () => addPayment(db(), null) },
    { table: 'licence_code', add: () => addCode(db()) },
    { table: 'licence', add: () => addLicence(db()) },
    { table: 'device', add: () => addDevice(db()) },
  ])('a row of $table is removed a millisecond after its retention time', async ({ table, add }) => {
    await add();

    expect(await remove(table, T0)).toBe(0);
    expect(await remove(table, T0 + 1)).toBe(1);
    expect(await countOf(table)).toBe(0);
  });

  test('a run is kept as long as its key or an attempt', async () => {
    await finishRun();

    expect(await remove('run', T0 + 1)).toBe(0);
    await remove('access_key', T0 + 1);
    expect(await remove('run', T0 + 1)).toBe(0);
    expect(await countOf('step_attempt')).toBe(1);
    await remove('step_attempt', T0 + 1);

    expect(await remove('run', T0 + 1)).toBe(1);
    expect(await countOf('device')).toBe(1);
  });

  test('a queued mail is kept', async () => {
    await addMail(db(), 'queued');
    await addMail(db(), 'sending');

    expect(await remove('mail', T0 + 1)).toBe(0);
  });

  test('a queued webhook delivery is kept', async () => {
    for (const state of ['queued', 'sending'] as const) await addDelivery(db(), state);

    expect(await remove('webhook_delivery', T0 + 1)).toBe(0);
  });

  test('an order and its payment are kept while a period refers to the order', async () => {
    await addOrder(db());
    await addLicence(db());
    await addPeriod(db(), { orderId: 'order' });
    await addPayment(db(), 'order');

    expect([await remove('purchase_order', T0 + 1), await remove('payment', T0 + 1)]).toEqual([0, 0]);
    await sql`DELETE FROM licence_period`.execute(db());

    expect([await remove('purchase_order', T0 + 1), await remove('payment', T0 + 1)]).toEqual([1, 1]);
  });

  test('a payment is kept while an order refers to it', async () => {
    await addOrder(db());
    await addPayment(db(), null);
    await sql`UPDATE purchase_order SET payment_ref = 'pi'`.execute(db());

    expect(await remove('payment', T0 + 1)).toBe(0);
    await sql`DELETE FROM purchase_order`.execute(db());
    expect(await remove('payment', T0 + 1)).toBe(1);
  });

  test.each(['order', 'code'] as const)('a period is removed with its %s, unless it runs', async (of) => {
    await (of === 'order' ? addOrder(db()) : addCode(db()));
    await addLicence(db());
    await addPeriod(db(), of === 'order' ? { orderId: 'order' } : { codeId: 'code' }, T0 + 10);
    const removeAt = async (now: number) => {
      let removed = 0;
      for (const rows of OLD_ROWS.filter(({ table }) => table === 'licence_period'))
        removed += await createRetentionRepository(db()).remove(rows, T0 + 1, 100, { now });
      return removed;
    };

    expect(await remove(of === 'order' ? 'purchase_order' : 'licence_code', T0 + 1)).toBe(0);
    expect([await removeAt(T0 + 9), await removeAt(T0 + 10)]).toEqual([0, 1]);
    expect(await remove(of === 'order' ? 'purchase_order' : 'licence_code', T0 + 1)).toBe(1);
  });

  test('a licence is removed after its last period and its devices', async () => {
    await addCode(db());
    await addLicence(db());
    await addPeriod(db(), { codeId: 'code' });
    await addDevice(db());
    await sql`INSERT INTO licence_device (licence_id, device_id, bound_at) VALUES ('licence', 'device', ${T0})`.execute(
      db(),
    );
    const removeBoth = async () => [await remove('licence_device', T0 + 1), await remove('licence', T0 + 1)];

    expect(await removeBoth()).toEqual([0, 0]);
    await sql`DELETE FROM licence_period`.execute(db());
    expect(await remove('licence', T0 + 1)).toBe(0);
    expect(await removeBoth()).toEqual([1, 1]);
  });

  test.each([
    ['a run', async () => void (await insertRun(db(), { hwidHmac: 'device' }))],
    ['a key', () => finishRun('device')],
    ['a strike', () => addOf(db(), `INSERT INTO strike (id, device_id, code, at) SELECT 'strike', id, 'KS_FAST', 1`)],
    [
      'a plan',
      () => addOf(db(), `INSERT INTO licence_device (licence_id, device_id, bound_at) SELECT 'licence', id, 1`),
    ],
    [
      'a link',
      () =>
        addOf(
          db(),
          `INSERT INTO reset_request (id, email_hmac, device_id, created_at, expires_at) SELECT 'link', '', id, 1, 1`,
        ),
    ],
    ['an order', () => addOrder(db())],
    ['a block for good', () => addOf(db(), `UPDATE device SET block_reason = 'cheats'`, '')],
    [
      'a block that still runs',
      () => addOf(db(), `UPDATE device SET block_reason = '', blocked_until = ${T0 + 2}`, ''),
    ],
  ])('a device with %s is kept', async (_what, add) => {
    await add();

    expect(await remove('device', T0 + 1)).toBe(0);
  });

  test('a device with an expired block is removed', async () => {
    await addOf(db(), `UPDATE device SET block_reason = 'cheats', blocked_until = ${T0}`, '');

    expect(await remove('device', T0 + 1)).toBe(1);
  });

  test('the oldest rows of a batch are removed', async () => {
    for (const ms of [3, 1, 2])
      await db()
        .insertInto('captchaPass')
        .values(buildPass({ passedAt: T0 + ms }))
        .execute();

    expect(await remove('captcha_pass', T0 + 9, 2)).toBe(2);

    expect(await db().selectFrom('captchaPass').select('passedAt').execute()).toEqual([{ passedAt: T0 + 3 }]);
  });

  test('the HMAC of a network is removed from every table and its rows are kept', async () => {
    const run = await insertRun(db());
    await insertAttempt(db(), run);
    await addStrike(db());
    await db()
      .insertInto('resetRequest')
      .values(buildResetRequest({ licenceId: null }))
      .execute();
    for (const { table } of NETWORK_COLUMNS) await sql.raw(`UPDATE ${table} SET ip_hmac = 'network'`).execute(db());

    const retention = createRetentionRepository(db());
    for (const place of NETWORK_COLUMNS) {
      expect(await retention.forgetNetworks(place, T0, 100)).toBe(0);
      expect(await retention.forgetNetworks(place, T0 + 1, 100)).toBeGreaterThan(0);
      expect(await retention.forgetNetworks(place, T0 + 1, 100)).toBe(0);
    }

    for (const { table } of NETWORK_COLUMNS) {
      expect((await sql.raw(`SELECT ip_hmac FROM ${table}`).execute(db())).rows).toContainEqual({ ipHmac: null });
      expect((await sql.raw(`SELECT 1 FROM ${table} WHERE ip_hmac IS NOT NULL`).execute(db())).rows).toEqual([]);
    }
  });

  test('every table with the HMAC of a network is swept, and every retention setting is used', async () => {
    const tables = await db().introspection.getTables();
    const withNetwork = tables
      .filter(({ columns }) => columns.some(({ name }) => /^ip_?hmac$/i.test(name)))
      .map(({ name }) => name);

    expect(NETWORK_COLUMNS.map(({ table }) => table).sort()).toEqual(withNetwork.sort());
    const used = [...OLD_ROWS.map(({ days }) => days), 'networks', 'audit'];
    expect([...new Set(used)].sort()).toEqual(Object.keys(DEFAULT_LIMITS.retentionDays).sort());
  });

  test('docs/operations.md names the end of the rows of every table, with the default days of the swept ones', async () => {
    const [, chapter = ''] = /### What is stored, and until when\n([^#]*)/.exec(GUIDE) ?? [];
    const said = [...chapter.matchAll(/^\| (`.*`) \| (.*) \|$/gm)].flatMap(([, names = '', until = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ name, until })),
    );
    const tables = (await db().introspection.getTables()).map(({ name }) => snakeCase(name));

    expect(said.map(({ name }) => name).sort()).toEqual(tables.sort());
    for (const { table, days } of OLD_ROWS)
      expect(said.find(({ name }) => name === table)?.until, table).toContain(`\`${days}\``);
  });
});

async function addMail(db: Db, state: MailRow['state']): Promise<void> {
  await db
    .insertInto('mail')
    .values({
      id: randomId(T0),
      kind: 'receipt',
      sealedMessage: null,
      state,
      createdAt: T0,
      nextTryAt: T0,
      claimedAt: null,
      sentAt: null,
      error: null,
    })
    .execute();
}

async function addDelivery(db: Db, state: WebhookDeliveryRow['state']): Promise<void> {
  const webhook = { id: 'hook', scope: 'app', owner: 'main', url: 'https://hooks.example/', events: '' } as const;
  const rest = { sealedSecret: '', afterSeq: 0, createdAt: T0, createdBy: 'ada' };
  await db
    .insertInto('webhook')
    .values({ ...webhook, ...rest })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const delivery = { id: randomId(T0), webhookId: 'hook', event: 'key.issued', seq: 1, state } as const;
  await db
    .insertInto('webhookDelivery')
    .values({ ...delivery, createdAt: T0, nextTryAt: T0 })
    .execute();
}

async function addStrike(db: Db): Promise<void> {
  await sql`INSERT INTO strike (id, code, at) VALUES ('strike', 'KS_FAST', ${T0})`.execute(db);
}

async function addWebhookEvent(db: Db): Promise<void> {
  await sql`INSERT INTO webhook_event (provider, event_id, received_at) VALUES ('stripe', 'event', ${T0})`.execute(db);
}

async function addLoadReport(db: Db): Promise<void> {
  await db
    .insertInto('release')
    .values({ unit: 'tools', version: '1.0.0', manifest: '{}', digest: '', bytes: 0, publishedAt: T0, publishedBy: '' })
    .execute();
  await createLoadReportsRepository(db).note(
    { unit: 'tools', version: '1.0.0', kind: 'failed' },
    [['today', '', 'holder']],
    T0,
  );
}

const addDevice = (db: Db) =>
  addAll(db, [
    `INSERT INTO device (id, app_id, hwid_hmac, first_seen, last_seen) VALUES ('device', 'main', 'device', ${T0}, ${T0})`,
  ]);

/** A device with something that names it. */
async function addOf(db: Db, statement: string, from = ' FROM device'): Promise<void> {
  await addDevice(db);
  await addLicence(db);
  await addAll(db, [`${statement}${from}`]);
}

async function addOrder(db: Db): Promise<void> {
  await addDevice(db);
  await addAll(db, [
    `INSERT INTO purchase_order (id, device_id, mode, amount_cents, provider, idem_key, state, created_at)
      VALUES ('order', 'device', 1, 99, 'stripe', 'idem', 'paid', ${T0})`,
  ]);
}

const addPayment = (db: Db, orderId: string | null) =>
  addAll(db, [
    `INSERT INTO payment (ref, order_id, told_at) VALUES ('pi', ${orderId === null ? 'NULL' : `'${orderId}'`}, ${T0})`,
  ]);

const addCode = (db: Db) =>
  addAll(db, [
    `INSERT INTO reseller (id, name, logo, description, discord, buy_link, position, updated_at)
      VALUES ('shop', '', '', '', '', '', 1, ${T0})`,
    `INSERT INTO licence_code (id, code_hash, reseller_id, plan_id, issued_at, redeemed_at)
      VALUES ('code', 'hash', 'shop', 'plus', ${T0}, ${T0})`,
  ]);

const addLicence = (db: Db) => addAll(db, [`INSERT INTO licence (id, created_at) VALUES ('licence', ${T0})`]);

async function addPeriod(db: Db, paidWith: { orderId: string } | { codeId: string }, endsAt = T0): Promise<void> {
  await db
    .insertInto('licencePeriod')
    .values({
      id: 'period',
      licenceId: 'licence',
      planId: 'plus',
      orderId: null,
      codeId: null,
      ...paidWith,
      startsAt: T0,
      endsAt,
      revokedAt: null,
      revokeReason: null,
    })
    .execute();
}

async function addAll(db: Db, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
