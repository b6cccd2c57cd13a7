import { createTransact } from '#api/foundation/audit/transact.ts';
import { createKeysRepository } from './keys.repository.ts';
import { createSigningKeysRepository } from './signing-keys.repository.ts';

export const transact = createTransact((db) => ({
  keys: createKeysRepository(db),
  signingKeys: createSigningKeysRepository(db),
}));
