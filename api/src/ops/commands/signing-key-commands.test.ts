import { expect, test } from 'vitest';
import { openTerminal as open } from '#api/test/programs/open-terminal.ts';

test('signing keys are listed without their private halves', async () => {
  const { api, say, type, ask } = await open();

  expect(await ask('signing-key', 'list')).toMatchObject([
    { kid: 'test-key', alg: 'EdDSA', status: 'active', notAfter: null },
  ]);
  expect((await type('signing-key', 'list')).out).toMatch(/^kid .*\ntest-key {2}EdDSA {6}active {2}\d{4}-/);

  await api.db.updateTable('signingKey').set({ notAfter: 9e15 }).execute();
  expect(await say('signing-key', 'list')).toEqual([0, expect.stringContaining('9000000000000000') as string]);
});

test('a signing key that comes from the settings cannot be rotated by the command', async () => {
  const { say } = await open();

  expect(await say('signing-key', 'rotate')).toEqual([1, expect.stringContaining('NEXT_SIGNING_KEY_FILE') as string]);
});
