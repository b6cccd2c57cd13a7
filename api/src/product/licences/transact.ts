import type { Db } from '#api/foundation/db/schema.ts';
import { createTransact } from '#api/foundation/audit/transact.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import { createMailsRepository } from '#api/product/mail/mails.repository.ts';
import { createLicencesRepository } from './licences.repository.ts';
import { createResetRequestsRepository } from './reset-requests.repository.ts';

export type Repositories = ReturnType<typeof createRepositories>;

/** The repositories of every table that a change of a licence writes. */
export function createRepositories(db: Db) {
  return {
    devices: createDevicesRepository(db),
    keys: createKeysRepository(db),
    licences: createLicencesRepository(db),
    mails: createMailsRepository(db),
    resetRequests: createResetRequestsRepository(db),
  };
}

export const transact = createTransact(createRepositories);
