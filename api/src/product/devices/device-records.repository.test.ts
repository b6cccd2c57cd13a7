import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { DeviceRow } from '#api/foundation/db/schema.ts';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import { createResetRequestsRepository } from '#api/product/licences/reset-requests.repository.ts';
import { verifyAudit } from '#api/foundation/audit/verify-audit.ts';
import { recordEvent } from '#api/test/audit-chain.ts';
import {
  buildKey,
  buildLicence,
  buildPass,
  buildResetRequest,
  insertAttempt,
  insertRun,
  T0,
} from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { sealAudit } from '#api/test/sealed.ts';
import { createDeviceRecordsRepository, DEVICE_TABLES } from './device-records.repository.ts';
import { createDevicesRepository } from './devices.repository.ts';
import { eraseDevices } from './erase-devices.ts';

const ACT = { by: 'ada', at: T0 + 1 };

describeEachDatabase('stored rows of a device', (db) => {
  /** A device with rows in every table, and an order on request. */
  async function fillDevice(hwidHmac: string, { hasOrder = false } = {}): Promise<DeviceRow> {
    const run = await insertRun(db(), { hwidHmac });
    await insertAttempt(db(), run);
    await createKeysRepository(db()).insert(buildKey(run));
    await db().insertInto('captchaPass').values(buildPass({ hwidHmac })).execute();
    await sql`INSERT INTO strike (id, device_id, code, at) VALUES (${hwidHmac}, ${run.deviceId}, 'KS_FAST', ${T0})`.execute(
      db(),
    );
    if (hasOrder) {
      await sql`INSERT INTO purchase_order (id, device_id, mode, amount_cents, provider, idem_key, state, created_at)
        VALUES (${hwidHmac}, ${run.deviceId}, 1, 99, 'stripe', ${hwidHmac}, 'paid', ${T0})`.execute(db());
    }
    await db()
      .insertInto('licence')
      .values(buildLicence({ id: hwidHmac }))
      .execute();
    await sql`INSERT INTO licence_device (licence_id, device_id, bound_at) VALUES (${hwidHmac}, ${run.deviceId}, ${T0})`.execute(
      db(),
    );
    await createResetRequestsRepository(db()).insert(
      buildResetRequest({ licenceId: hwidHmac, purpose: 'claim', deviceId: run.deviceId }),
    );
    await recordEvent(db(), { at: T0, kind: 'key', code: 'issued', subject: run.deviceId });

    const [device] = await createDevicesRepository(db()).findAll(hwidHmac);
    if (!device) throw new Error('The device is not there.');
    return device;
  }

  const countRows = async (device: DeviceRow) => {
    const records = await createDeviceRecordsRepository(db()).collect(device);
    return Object.fromEntries(Object.entries(records).map(([table, rows]) => [table, rows.length]));
  };

  test('collect returns the rows of a device from every table', async () => {
    const device = await fillDevice('hwid', { hasOrder: true });
    await fillDevice('other', { hasOrder: true });

    expect(await countRows(device)).toMatchObject({
      run: 1,
      step_attempt: 1,
      access_key: 1,
      strike: 1,
      captcha_pass: 2,
      licence_device: 1,
      reset_request: 1,
      purchase_order: 1,
    });
    const records = await createDeviceRecordsRepository(db()).collect(device);
    expect(records.run[0]).toMatchObject({ deviceId: device.id, stepsRequired: 6 });
    expect(records.audit_event.every(({ subject }) => subject === device.id)).toBe(true);
  });

  test('erasing a device keeps audit rows, which identify nobody', async () => {
    const device = await fillDevice('hwid');
    const other = await fillDevice('other');
    const before = await countRows(other);

    await eraseDevices({ db: db() }, [device], ACT);
    await sealAudit(db());

    const { audit_event: audited, ...rest } = await countRows(device);
    expect(Object.values(rest).every((rows) => rows === 0)).toBe(true);
    expect(audited).toBeGreaterThan(1);
    expect(
      await (await sealAudit(db())).selectFrom('auditEvent').selectAll().orderBy('seq', 'desc').executeTakeFirst(),
    ).toMatchObject({
      at: ACT.at,
      kind: 'device',
      code: 'erased',
      subject: device.id,
      detail: '{"by":"ada"}',
    });
    expect(await createDevicesRepository(db()).findAll('hwid')).toEqual([]);
    expect(await db().selectFrom('device').select('id').execute()).toEqual([{ id: other.id }]);
    expect(await countRows(other)).toEqual(before);
    expect(await verifyAudit(db(), { trusted: { keys: [], anchors: [], since: T0 }, now: T0 })).toMatchObject({
      ok: true,
    });
  });

  test('erasing a device moves its order to a random device', async () => {
    const device = await fillDevice('hwid', { hasOrder: true });

    await eraseDevices({ db: db() }, [device], ACT);

    expect(await countRows(device)).toMatchObject({
      run: 0,
      access_key: 0,
      strike: 0,
      captcha_pass: 0,
      purchase_order: 1,
    });
    expect(await createDevicesRepository(db()).findAll('hwid')).toEqual([]);
    const [left] = await db().selectFrom('device').selectAll().execute();
    expect(left).toMatchObject({
      id: device.id,
      hwidHmac: expect.stringMatching(/^erased-/) as string,
      firstSeen: T0 + 1,
    });
  });

  test('every table with a device, run or hwid column is listed for erasure', async () => {
    const tables = await db().introspection.getTables();
    const naming = tables.filter(({ columns }) =>
      columns.some(({ name }) => /^(device_?id|run_?id|hwid_?hmac|subject)$/i.test(name)),
    );
    const snake = naming.map(({ name }) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

    expect([...DEVICE_TABLES.map(({ table }) => table), 'device'].sort()).toEqual(snake.sort());
  });
});
