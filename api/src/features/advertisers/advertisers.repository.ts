import type { AdvertiserId } from '@app/contracts/key-system';
import type { Kysely } from 'kysely';
import type { AdvertiserRow, Database, StepLinkRow } from '#api/db/schema.ts';

export type AdvertisersRepository = ReturnType<typeof createAdvertisersRepository>;

export function createAdvertisersRepository(db: Kysely<Database>) {
  return {
    list(): Promise<AdvertiserRow[]> {
      return db.selectFrom('advertiser').select(['id', 'enabled', 'proof', 'minDwellMs']).orderBy('id').execute();
    },

    get(id: AdvertiserId): Promise<AdvertiserRow> {
      return db
        .selectFrom('advertiser')
        .select(['id', 'enabled', 'proof', 'minDwellMs'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    },

    findStepLink({ appId, advertiserId, os, step }: Omit<StepLinkRow, 'url'>): Promise<StepLinkRow | undefined> {
      return db
        .selectFrom('stepLink')
        .selectAll()
        .where('appId', '=', appId)
        .where('advertiserId', '=', advertiserId)
        .where('os', '=', os)
        .where('step', '=', step)
        .executeTakeFirst();
    },
  };
}
