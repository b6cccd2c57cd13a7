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

test('a command fails and creates nothing where no server has ever run', async () => {
  const DATA_DIR = join(makeFolder(), 'mistyped');

  await expect(openOps(parseEnv({ DATA_DIR }))).rejects.toThrow(`There is no ${join(DATA_DIR, 'app.sqlite')}.`);

  expect(existsSync(DATA_DIR)).toBe(false);
});

test('a command fails and creates no pepper when the pepper of the server is missing', async () => {
  const DATA_DIR = makeFolder();
  await openDb({ databaseUrl: undefined, dataDir: DATA_DIR }).destroy();

  await expect(openOps(parseEnv({ DATA_DIR }))).rejects.toThrow(
    `There is no ${join(DATA_DIR, 'secrets/hwid-pepper')}.`,
  );

  expect(readdirSync(DATA_DIR)).not.toContain('secrets');
});

test('a command rejects a database of another schema version', async () => {
  const DATA_DIR = makeFolder();
  const db = openDb({ databaseUrl: undefined, dataDir: DATA_DIR });
  await db.schema.createTable('older').addColumn('id', 'text').execute();
  await db.destroy();

  await expect(openOps(parseEnv({ DATA_DIR, HWID_PEPPER: PEPPER }))).rejects.toThrow('The database has another shape');
});

test('a command fails when its pepper differs from that of the server', async () => {
  const env = parseEnv({ DATA_DIR: makeFolder() });
  const server = openDb({ databaseUrl: undefined, dataDir: env.DATA_DIR });
  await migrate(server);
  await bindPepper(server, loadSecrets(env).pepper);
  await server.destroy();

  await expect(openOps({ ...env, HWID_PEPPER: PEPPER })).rejects.toThrow(
    'HWID_PEPPER: is not the one that this database was made with',
  );
});

test('a command finds the devices of a running server that has the same settings', async () => {
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
