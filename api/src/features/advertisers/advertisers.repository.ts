import type { AdvertiserId } from '@app/contracts/key-system';
import type { AdvertiserRow, Db, StepLinkRow } from '#api/db/schema.ts';
import { appendAudit, type Act } from '#api/features/audit/append-audit.ts';

export type AdvertisersRepository = ReturnType<typeof createAdvertisersRepository>;

export function createAdvertisersRepository(db: Db) {
  return {
    list(): Promise<AdvertiserRow[]> {
      return db.selectFrom('advertiser').selectAll().orderBy('id').execute();
    },

    get(id: AdvertiserId): Promise<AdvertiserRow> {
      return db.selectFrom('advertiser').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    },

    /** Notes since when an advertiser’s circuit is open; null when it has closed. */
    async noteFailing(id: AdvertiserId, since: number | null): Promise<void> {
      await db.updateTable('advertiser').set({ failingSince: since }).where('id', '=', id).execute();
    },

    /** A server that starts has been failed by nobody yet. */
    async forgetFailing(): Promise<void> {
      await db.updateTable('advertiser').set({ failingSince: null }).where('failingSince', 'is not', null).execute();
    },

    /** Offers an advertiser to visitors, or no longer, in force at once; false when it is so already. */
    setEnabled(id: AdvertiserId, isEnabled: boolean, { by, at }: Act): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        const turned = await trx
          .updateTable('advertiser')
          .set({ enabled: isEnabled ? 1 : 0 })
          .where('id', '=', id)
          .where('enabled', '=', isEnabled ? 0 : 1)
          .returning('id')
          .executeTakeFirst();
        if (!turned) return false;

        await appendAudit(trx, {
          at,
          kind: 'advertiser',
          code: isEnabled ? 'enabled' : 'disabled',
          subject: null,
          detail: { advertiser: id, by },
        });
        return true;
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
