import { expect, test } from 'vitest';
import { openTerminal as open } from '#api/test/open-terminal.ts';

test('a PostgreSQL is backed up and restored with its own programs', async () => {
  const { type } = await open();

  expect(await type('backup', '/nowhere/copy')).toMatchObject({
    code: 1,
    err: expect.stringContaining('pg_dump') as string,
  });
  expect(await type('restore', '/nowhere/copy')).toMatchObject({
    code: 1,
    err: 'There is no /nowhere/copy; nothing was changed.',
  });
});
