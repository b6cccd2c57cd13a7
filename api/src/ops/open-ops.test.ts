import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrate } from '#api/foundation/db/migrate.ts';
import { openDb } from '#api/foundation/db/open-db.ts';
import { parseEnv } from '#api/foundation/settings/env.ts';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { bindPepper } from '#api/foundation/visitors/pepper-check.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { T0 } from '#api/test/build-rows.ts';
import { loadSecrets } from '#api/foundation/secrets/load-secrets.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { openOps } from './open-ops.ts';

const PEPPER = 'p'.repeat(40);

test('where no server has ever run the command fails and creates nothing', async () => {
  const DATA_DIR = join(makeFolder(), 'mistyped');

  await expect(openOps(parseEnv({ DATA_DIR }))).rejects.toThrow(`There is no ${join(DATA_DIR, 'app.sqlite')}.`);

  expect(existsSync(DATA_DIR)).toBe(false);
});

test('without the server’s pepper the command fails and makes none', async () => {
  const DATA_DIR = makeFolder();
  await openDb({ databaseUrl: undefined, dataDir: DATA_DIR }).destroy();

  await expect(openOps(parseEnv({ DATA_DIR }))).rejects.toThrow(
    `There is no ${join(DATA_DIR, 'secrets/hwid-pepper')}.`,
  );

  expect(readdirSync(DATA_DIR)).not.toContain('secrets');
});

test('a database of another version is refused', async () => {
  const DATA_DIR = makeFolder();
  const db = openDb({ databaseUrl: undefined, dataDir: DATA_DIR });
  await db.schema.createTable('older').addColumn('id', 'text').execute();
  await db.destroy();

  await expect(openOps(parseEnv({ DATA_DIR, HWID_PEPPER: PEPPER }))).rejects.toThrow('The database has another shape');
});

test('with another pepper than the server’s it refuses to work', async () => {
  const env = parseEnv({ DATA_DIR: makeFolder() });
  const server = openDb({ databaseUrl: undefined, dataDir: env.DATA_DIR });
  await migrate(server);
  await bindPepper(server, loadSecrets(env).pepper);
  await server.destroy();

  await expect(openOps({ ...env, HWID_PEPPER: PEPPER })).rejects.toThrow(
    'HWID_PEPPER: is not the one that this database was made with',
  );
});

test('it knows the devices of the server with the same settings, while that has the database open', async () => {
  const env = parseEnv({ DATA_DIR: makeFolder() });
  const server = openDb({ databaseUrl: undefined, dataDir: env.DATA_DIR });
  await migrate(server);
  const { pepper } = loadSecrets(env);
  await createDevicesRepository(server).ensure('main', createPseudonyms(pepper).hwid('device-1234'), T0);

  const { db, pseudonyms, generatedKeysIn, close } = await openOps(env);

  expect(await createDevicesRepository(db).findAll(pseudonyms.hwid('device-1234'))).toHaveLength(1);
  expect(generatedKeysIn).toBe(env.DATA_DIR);
  await expect(
    db
      .updateTable('device')
      .set({ appId: 'nowhere' as 'main' })
      .execute(),
  ).rejects.toThrow('FOREIGN KEY constraint failed');
  await close();
  await server.destroy();
});
