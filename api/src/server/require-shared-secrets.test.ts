import { expect, test } from 'vitest';
import { DEAD_AFTER_MS } from '#api/foundation/db/servers.repository.ts';
import { createPresence } from './live/presence.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { requireSharedSecrets } from './require-shared-secrets.ts';

const NO_SECRETS = { HWID_PEPPER: undefined, SIGNING_KEY_FILE: undefined };
const BOTH_SECRETS = { HWID_PEPPER: 'p'.repeat(32), SIGNING_KEY_FILE: '/secrets/signing-key.json' };

describeEachDatabase('secrets of several servers', (db) => {
  const live = (name: string) => createPresence({ db: db(), name }).exchange(0);
  const start = (given: Parameters<typeof requireSharedSecrets>[1]) => requireSharedSecrets(db(), given, 'new');

  test('a second server without the shared secrets is rejected, and each missing setting is named', async () => {
    await live('other');

    await expect(start(NO_SECRETS)).rejects.toThrow(/^HWID_PEPPER: must be set, .*\nSIGNING_KEY_FILE: must be set, /);
    await expect(start({ ...BOTH_SECRETS, SIGNING_KEY_FILE: undefined })).rejects.toThrow(
      /^SIGNING_KEY_FILE: must be set, /,
    );
    await start(BOTH_SECRETS);
  });

  test('a lone server starts with its generated secrets, after the death of others and its own', async () => {
    await start(NO_SECRETS);
    await live('new');
    await start(NO_SECRETS);
    await live('other');
    await db()
      .updateTable('server')
      .set((eb) => ({ seenAt: eb('seenAt', '-', DEAD_AFTER_MS) }))
      .execute();
    await start(NO_SECRETS);
  });
});
