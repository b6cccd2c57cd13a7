import type { Db } from '#api/foundation/db/schema.ts';
import { bind, createTransact } from '#api/foundation/audit/transact.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import { createMailsRepository } from '#api/product/mail/mails.repository.ts';
import { createLicencesRepository } from './licences.repository.ts';
import { createResetRequestsRepository } from './reset-requests.repository.ts';

export const REPOSITORIES = {
  devices: createDevicesRepository,
  keys: createKeysRepository,
  licences: createLicencesRepository,
  mails: createMailsRepository,
  resetRequests: createResetRequestsRepository,
};

export type Repositories = ReturnType<typeof createRepositories>;

export function createRepositories(db: Db) {
  return bind(db, REPOSITORIES);
}

export const transact = createTransact(REPOSITORIES);
