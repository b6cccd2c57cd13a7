import type { AdvertiserId } from '@app/contracts/key-system';
import type { Kysely } from 'kysely';
import type { AdvertiserRow, Database, StepLinkRow } from '#api/db/schema.ts';
import { appendAudit } from '#api/features/audit/append-audit.ts';

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

    /** Offers an advertiser to visitors, or no longer; in force at once. */
    setEnabled(id: AdvertiserId, isEnabled: boolean, at: number): Promise<void> {
      return db.transaction().execute(async (trx) => {
        await trx.updateTable('advertiser').set({ enabled: isEnabled ? 1 : 0 }).where('id', '=', id).execute();
        await appendAudit(trx, { at, kind: 'advertiser', code: isEnabled ? 'enabled' : 'disabled', subject: null, detail: { advertiser: id } });
      });
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
