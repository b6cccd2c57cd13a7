import { createTransact } from '#api/foundation/audit/transact.ts';
import { createKeysRepository } from './keys.repository.ts';
import { createSigningKeysRepository } from './signing-keys.repository.ts';

const REPOSITORIES = {
  keys: createKeysRepository,
  signingKeys: createSigningKeysRepository,
};

export const transact = createTransact(REPOSITORIES);
