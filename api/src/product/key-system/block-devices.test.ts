import { expect, test } from 'vitest';
import { blockOf } from '#api/product/devices/device.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { insertRun, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { sealAudit } from '#api/test/sealed.ts';
import { blockDevices, unblockDevices } from './block-devices.ts';
import { createRunsRepository } from './runs.repository.ts';

const ACT = { by: 'ada', at: T0 + 1 };

describeEachDatabase('blocks', (db) => {
  const readBlock = async (appId: 'main' | 'companion', at = T0) => {
    const device = await createDevicesRepository(db()).find(appId, 'hwid');
    return device && blockOf(device, at);
  };
  const readAudit = async () =>
    (await sealAudit(db()))
      .selectFrom('auditEvent')
      .select(['kind', 'code', 'subject', 'detail'])
      .where('code', 'like', '%blocked')
      .orderBy('seq')
      .execute();

  test('a block lasts until its end, cancels the open run and is audited', async () => {
    const run = await insertRun(db());

    await blockDevices({ db: db() }, [run.deviceId], { reason: 'shares keys', until: T0 + 10 }, ACT);

    expect(await readBlock('main', T0 + 9)).toEqual({ reason: 'shares keys', until: T0 + 10 });
    expect(await readBlock('main', T0 + 10)).toBeUndefined();
    expect(await createRunsRepository(db()).find(run.id)).toMatchObject({ state: 'blocked', updatedAt: T0 + 1 });
    expect(await readAudit()).toEqual([
      {
        kind: 'device',
        code: 'blocked',
        subject: run.deviceId,
        detail: `{"by":"ada","reason":"shares keys","until":${String(T0 + 10)}}`,
      },
      { kind: 'run', code: 'blocked', subject: run.deviceId, detail: `{"by":"ada","run":"${run.id}"}` },
    ]);
  });

  test('a block without an end stays, and only for its own devices', async () => {
    const devices = createDevicesRepository(db());
    const main = (await devices.ensure('main', 'hwid', T0)).id;
    const companion = (await devices.ensure('companion', 'hwid', T0)).id;
    await devices.ensure('main', 'other', T0);

    await blockDevices({ db: db() }, [main, companion], { reason: 'abuse', until: null }, ACT);

    expect(await readBlock('main', T0 * 2)).toEqual({ reason: 'abuse', until: null });
    expect(await readBlock('companion', T0 * 2)).toEqual({ reason: 'abuse', until: null });
    const [other] = await devices.findAll('other');
    expect(other && blockOf(other, T0)).toBeUndefined();
  });

  test('a block does not change a completed run', async () => {
    const run = await insertRun(db());
    await db().updateTable('run').set({ state: 'completed' }).execute();

    await blockDevices({ db: db() }, [run.deviceId], { reason: 'abuse', until: null }, ACT);

    expect(await createRunsRepository(db()).find(run.id)).toMatchObject({ state: 'completed' });
  });

  test('unblocking succeeds once, and only for a blocked device', async () => {
    const devices = createDevicesRepository(db());
    const blocked = (await devices.ensure('main', 'hwid', T0)).id;
    const free = (await devices.ensure('companion', 'hwid', T0)).id;
    await blockDevices({ db: db() }, [blocked], { reason: 'abuse', until: null }, ACT);

    expect(await unblockDevices({ db: db() }, [blocked, free], ACT)).toEqual([blocked]);
    expect(await unblockDevices({ db: db() }, [blocked, free], ACT)).toEqual([]);

    expect(await readBlock('main')).toBeUndefined();
    expect(await readAudit()).toMatchObject([
      { code: 'blocked', subject: blocked },
      { code: 'unblocked', subject: blocked, detail: '{"by":"ada"}' },
    ]);
  });
});
