import { writesRow } from '#api/foundation/db/dialect.ts';
import type { AdvertiserId } from '@app/contracts/advertisers';
import { SANDBOX } from '@app/contracts/key-system';
import { prepare } from '#api/foundation/db/prepare.ts';
import type { AdvertiserRow, Db, StepLinkRow } from '#api/foundation/db/schema.ts';

type RouteRow = AdvertiserRow & { [Column in 'step' | 'url']: StepLinkRow[Column] | null };

interface RoutesOf extends Pick<StepLinkRow, 'appId' | 'os' | 'step' | 'advertiserId'> {
  otherStep: number;
  otherAdvertiser: AdvertiserId;
}

const listRoutes = prepare((db, { appId, os, step, otherStep, advertiserId, otherAdvertiser }: RoutesOf) =>
  db
    .selectFrom('advertiser')
    .leftJoin('stepLink', (join) =>
      join
        .onRef('stepLink.advertiserId', '=', 'advertiser.id')
        .on('stepLink.appId', '=', appId)
        .on('stepLink.os', '=', os)
        .on('stepLink.step', 'in', [step, otherStep]),
    )
    .selectAll('advertiser')
    .select(['stepLink.step', 'stepLink.url'])
    .where('advertiser.id', 'in', [advertiserId, otherAdvertiser]),
);

export function createAdvertisersRepository(db: Db) {
  return {
    list(): Promise<AdvertiserRow[]> {
      return db.selectFrom('advertiser').selectAll().orderBy('id').execute();
    },

    get(id: AdvertiserId): Promise<AdvertiserRow> {
      return db.selectFrom('advertiser').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    },

    async ensureSandbox(): Promise<void> {
      await db
        .insertInto('advertiser')
        .values({ id: SANDBOX, proof: 'secret_url', minDwellMs: 0, failingSince: null })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Stores since when an advertiser's circuit is open, in epoch milliseconds; null when it has closed. */
    async noteFailing(id: AdvertiserId, since: number | null): Promise<void> {
      await db.updateTable('advertiser').set({ failingSince: since }).where('id', '=', id).execute();
    },

    /** Notes what its visits usually are; false when that was noted already. */
    noteUsual(
      id: AdvertiserId,
      { usualMs, finishedPercent }: Pick<AdvertiserRow, 'usualMs' | 'finishedPercent'>,
    ): Promise<boolean> {
      return writesRow(
        db
          .updateTable('advertiser')
          .set({ usualMs, finishedPercent })
          .where('id', '=', id)
          .where((is) =>
            is.or([
              is('usualMs', 'is distinct from', usualMs),
              is('finishedPercent', 'is distinct from', finishedPercent),
            ]),
          ),
      );
    },

    /** Marks every circuit as closed: in a server that starts, none is open. */
    async forgetFailing(): Promise<void> {
      await db.updateTable('advertiser').set({ failingSince: null }).where('failingSince', 'is not', null).execute();
    },

    /** False when it is so already. */
    setEnabled(id: AdvertiserId, isEnabled: boolean): Promise<boolean> {
      return writesRow(
        db
          .updateTable('advertiser')
          .set({ enabled: isEnabled ? 1 : 0 })
          .where('id', '=', id)
          .where('enabled', '=', isEnabled ? 0 : 1),
      );
    },

    /** Two advertisers, each with its links for two steps; `step` and `url` are null for one without any. */
    listRoutes: (of: RoutesOf): Promise<RouteRow[]> => listRoutes(db, of),
  };
}
