import type { Db } from '#api/foundation/db/schema.ts';
import { createAuditRepository } from '#api/foundation/audit/audit.repository.ts';
import { createTransact } from '#api/foundation/audit/transact.ts';
import { createArchivesRepository } from './archives.repository.ts';
import { createChannelsRepository } from './channels.repository.ts';
import { createDeployTokensRepository } from './deploy-tokens.repository.ts';
import { createReleasesRepository } from './releases.repository.ts';

export type Repositories = ReturnType<typeof createRepositories>;

/** The repositories of every table that a change of the registry reads or writes. */
export function createRepositories(db: Db) {
  return {
    audit: createAuditRepository(db),
    channels: createChannelsRepository(db),
    releases: createReleasesRepository(db),
    archives: createArchivesRepository(db),
    deployTokens: createDeployTokensRepository(db),
  };
}

export const transact = createTransact(createRepositories);
