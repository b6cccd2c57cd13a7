import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '#api/foundation/db/backup.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { openTerminal as open } from '#api/test/programs/open-terminal.ts';
import { makePlace, makeSecrets, operate, startSite } from '#api/test/programs/rehearsed-site.ts';

test('backup and restore fail where no server has ever run', async () => {
  const { say } = await open();

  expect(await say('backup', '/nowhere/copy')).toEqual([
    1,
    'There is no /nowhere/app.sqlite. Start the server once, or set DATA_DIR to where its data is.',
  ]);
  expect(await say('restore', '/nowhere/copy')).toEqual([1, 'There is no /nowhere/copy; nothing was changed.']);
});

test('a restore with another pepper succeeds and reports that the audit was not verified', async () => {
  const settings = { ...makeSecrets(), ...(await makePlace(undefined)) };
  const { stop } = await startSite(settings);
  const file = join(makeFolder(), 'copy');
  await operate(settings, 'backup', file);
  await stop();

  const elsewhere = { ...settings, ...(await makePlace(undefined)), HWID_PEPPER: 'p'.repeat(40) };
  const { code, out } = await operate(elsewhere, 'restore', file);

  expect(code).toBe(1);
  expect(out).toContain(`${elsewhere.DATA_DIR}/app.sqlite is what ${file} holds.`);
  expect(out).toContain('Its audit: it could not be checked yet. HWID_PEPPER: is not the one');
});

test('restore reports missing audit rows', async () => {
  const settings = { ...makeSecrets(), ...(await makePlace(undefined)) };
  const { api, anchor, stop } = await startSite(settings);
  const file = join(makeFolder(), 'copy');
  await operate(settings, 'backup', file);
  await api.db
    .insertInto('auditUnsealed')
    .values({ at: api.now(), kind: 'key', code: 'issued', detail: '{}' })
    .execute();
  await anchor();
  await stop();

  const { code, out } = await operate(settings, 'restore', file);

  expect(code).toBe(1);
  expect(out).toMatch(/Its audit: Row \d+ is missing\.$/);
});

test('restore rejects a backup whose checksum differs, and reports a backup without one as not verified', async () => {
  const settings = { ...makeSecrets(), ...(await makePlace(undefined)) };
  const { stop } = await startSite(settings);
  const folder = makeFolder();
  const file = join(folder, 'copy');
  expect(await operate(settings, 'backup', file)).toMatchObject({
    out: expect.stringContaining(`Its checksum is ${file}.sha256.`) as string,
  });
  await stop();
  expect(execFileSync('sha256sum', ['--check', `${file}.sha256`], { cwd: folder, encoding: 'utf8' })).toBe(
    'copy: OK\n',
  );

  const bytes = readFileSync(file);
  const before = readFileSync(join(settings.DATA_DIR, 'app.sqlite'));
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(file, bytes);
  expect(await operate(settings, 'restore', file)).toMatchObject({
    code: 1,
    err: `${file} is not what was backed up: its SHA-256 is not that of ${file}.sha256; take another copy; nothing was changed`,
  });
  expect(readFileSync(join(settings.DATA_DIR, 'app.sqlite')).equals(before)).toBe(true);

  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(file, bytes);
  expect((await operate(settings, 'restore', file)).out).not.toContain('sha256');

  // `sha256sum` marks a line whose name has a backslash.
  writeFileSync(`${file}.sha256`, `\\${readFileSync(`${file}.sha256`, 'utf8')}`);
  expect((await operate(settings, 'restore', file)).out).toContain(`is what ${file} holds.`);

  writeFileSync(`${file}.sha256`, 'nothing of this kind');
  expect(await operate(settings, 'restore', file)).toMatchObject({
    code: 1,
    err: `${file}.sha256 holds no SHA-256; nothing was changed`,
  });

  rmSync(`${file}.sha256`);
  expect((await operate(settings, 'restore', file)).out).toContain(
    `There is no ${file}.sha256, so damage to a value in it was not looked for.`,
  );
});

test('backup rejects an existing target file and keeps its checksum file', async () => {
  const settings = { ...makeSecrets(), ...(await makePlace(undefined)) };
  await startSite(settings);
  const file = join(makeFolder(), 'copy');
  writeFileSync(file, 'of another program');
  writeFileSync(`${file}.sha256`, 'its checksum');

  expect(await operate(settings, 'backup', file)).toMatchObject({
    code: 1,
    err: `${file} is there already; nothing was written.`,
  });
  await expect(backUp({ DATA_DIR: settings.DATA_DIR, DATABASE_URL: undefined }, file)).rejects.toThrow();
  expect(readFileSync(`${file}.sha256`, 'utf8')).toBe('its checksum');
});

test('a failed backup removes the checksum file of an earlier backup', async () => {
  const file = join(makeFolder(), 'copy');
  writeFileSync(`${file}.sha256`, 'of a former copy');

  await expect(backUp({ DATA_DIR: '/nowhere', DATABASE_URL: undefined }, file)).rejects.toThrow('/nowhere/app.sqlite');

  expect(existsSync(`${file}.sha256`)).toBe(false);
});

test('restore rejects a backup that has the name of the temporary file of the restore', async () => {
  const settings = { ...makeSecrets(), ...(await makePlace(undefined)) };
  const { stop } = await startSite(settings);
  const draft = join(settings.DATA_DIR, 'app.sqlite.restoring');
  await operate(settings, 'backup', draft);
  await stop();
  const link = join(makeFolder(), 'link');
  symlinkSync(draft, link);

  for (const file of [draft, link])
    expect(await operate(settings, 'restore', file)).toMatchObject({
      code: 1,
      err: `${file} has the name of what a restore removes; rename it first; nothing was changed`,
    });
  expect(existsSync(draft)).toBe(true);
});
