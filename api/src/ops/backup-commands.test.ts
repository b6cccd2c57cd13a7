import { expect, test } from 'vitest';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '#api/test/make-folder.ts';
import { openTerminal as open } from '#api/test/open-terminal.ts';
import { makePlace, makeSecrets, operate, startSite } from '#api/test/rehearsed-site.ts';

test('where no server has ever run there is nothing to back up, and no file to restore', async () => {
  const { type } = await open();

  expect(await type('backup', '/nowhere/copy')).toMatchObject({
    code: 1,
    err: 'There is no /nowhere/app.sqlite. Start the server once, or set DATA_DIR to where its data is.',
  });
  expect(await type('restore', '/nowhere/copy')).toMatchObject({
    code: 1,
    err: 'There is no /nowhere/copy; nothing was changed.',
  });
});

test('a restore with another pepper is done, and says that its audit could not be checked', async () => {
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

test('a restore tells what its audit lacks', async () => {
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

test('a backup takes no name that is taken', async () => {
  const settings = { ...makeSecrets(), ...(await makePlace(undefined)) };
  await startSite(settings);
  const file = join(makeFolder(), 'copy');
  writeFileSync(file, 'of somebody else');

  expect(await operate(settings, 'backup', file)).toMatchObject({
    code: 1,
    err: `${file} is there already; nothing was written.`,
  });
});

test('a backup that lies where a restore makes its draft is refused, and stays', async () => {
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
