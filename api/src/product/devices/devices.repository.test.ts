import { expect, test } from 'vitest';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createDevicesRepository } from './devices.repository.ts';

describeEachDatabase('devices', (db) => {
  test('a device has one row per app, with its first and last visit', async () => {
    const devices = createDevicesRepository(db());
    const companion = await devices.ensure('companion', 'hwid', T0);
    const main = await devices.ensure('main', 'hwid', T0 + 1);
    await devices.ensure('main', 'other', T0);

    expect(await devices.ensure('main', 'hwid', T0 + 5)).toMatchObject({
      id: main.id,
      firstSeen: T0 + 1,
      lastSeen: T0 + 5,
    });
    expect(await devices.find('companion', 'hwid')).toMatchObject({ id: companion.id, lastSeen: T0 });
    expect((await devices.findAll('hwid')).map(({ id }) => id)).toEqual([main.id, companion.id]);
    expect(await devices.find('companion', 'other')).toBeUndefined();
  });
});
