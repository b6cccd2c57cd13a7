import type { Db } from '#api/foundation/db/schema.ts';
import { createAuditRepository } from '#api/foundation/audit/audit.repository.ts';
import { bind, createTransact } from '#api/foundation/audit/transact.ts';
import { createArchivesRepository } from './archives.repository.ts';
import { createChannelsRepository } from './channels.repository.ts';
import { createDeployTokensRepository } from '#api/delivery/deploy-tokens/deploy-tokens.repository.ts';
import { createReleasesRepository } from './releases.repository.ts';

export const REPOSITORIES = {
  audit: createAuditRepository,
  channels: createChannelsRepository,
  releases: createReleasesRepository,
  archives: createArchivesRepository,
  deployTokens: createDeployTokensRepository,
};

export type Repositories = ReturnType<typeof createRepositories>;

export function createRepositories(db: Db) {
  return bind(db, REPOSITORIES);
}

export const transact = createTransact(REPOSITORIES);
