import { ADVERTISER_IDS, type AdvertiserId } from '@app/contracts/advertisers';
import { APP_COLOURS, type AppId, isSpecified, OPERATING_SYSTEMS, SPECIFIED_APPS } from '@app/contracts/key-system';
import type { AppFacts } from '@app/contracts/key-system-schemas';
import { AppError } from '#api/foundation/http/app-error.ts';
import type { AppRow, Db } from '#api/foundation/db/schema.ts';

/** What rests on an app: it has to stay as long as anything does. */
interface PausedApp {
  runs: number;
  keys: number;
}

export function createAppsRepository(db: Db) {
  async function count(table: 'run' | 'accessKey', id: AppId): Promise<number> {
    const { rows } = await db
      .selectFrom(table)
      .select((select) => select.fn.countAll<number>().as('rows'))
      .where('appId', '=', id)
      .executeTakeFirstOrThrow();
    return Number(rows);
  }

  return {
    /** Those of the specification come first. */
    async list(): Promise<AppRow[]> {
      const apps = await db.selectFrom('app').selectAll().orderBy('id').execute();
      const rank = ({ id }: AppRow) => [...SPECIFIED_APPS, id].findIndex((each) => each === id);
      return apps.sort((a, b) => rank(a) - rank(b));
    },

    find(id: AppId): Promise<AppRow | undefined> {
      return db.selectFrom('app').selectAll().where('id', '=', id).executeTakeFirst();
    },

    get(id: AppId): Promise<AppRow> {
      return db.selectFrom('app').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    },

    /** @returns false when there is such an app already */
    async insert(app: AppRow): Promise<boolean> {
      const inserted = await db
        .insertInto('app')
        .values(app)
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      return inserted !== undefined;
    },

    /** @returns false when there is no such app */
    async update({ id, ...columns }: AppRow): Promise<boolean> {
      const updated = await db.updateTable('app').set(columns).where('id', '=', id).returning('id').executeTakeFirst();
      return updated !== undefined;
    },

    async countResting(id: AppId): Promise<PausedApp> {
      return { runs: await count('run', id), keys: await count('accessKey', id) };
    },

    /** Removes an app on which nothing rests, with its devices, figures and tokens: its id may come again. */
    async remove(id: AppId): Promise<void> {
      const devices = db.selectFrom('device').select('id').where('appId', '=', id);
      await db.deleteFrom('strike').where('deviceId', 'in', devices).execute();
      await db.deleteFrom('device').where('appId', '=', id).execute();
      await db.deleteFrom('stepLink').where('appId', '=', id).execute();
      for (const table of ['attemptCount', 'keyCount'] as const)
        await db.deleteFrom(table).where('appId', '=', id).execute();
      await db.deleteFrom('statsToken').where('appId', '=', id).execute();
      await db.deleteFrom('app').where('id', '=', id).execute();
    },

    /** Gives an app a link for each of its steps, advertisers and systems, and takes those away that it has no more. */
    async fitStepLinks({ id, stepsPerSeries }: AppRow, { advertisers }: Pick<AppFacts, 'advertisers'>): Promise<void> {
      await db
        .deleteFrom('stepLink')
        .where('appId', '=', id)
        .where((link) => link.or([link('advertiserId', 'not in', advertisers), link('step', '>', stepsPerSeries)]))
        .execute();
      const links = Array.from({ length: stepsPerSeries }, (_, index) => index + 1).flatMap((step) =>
        advertisers.flatMap((advertiserId) =>
          OPERATING_SYSTEMS.map((os) => ({ appId: id, advertiserId, os, step, url: null })),
        ),
      );
      await db
        .insertInto('stepLink')
        .values(links)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Notes how long a run of the app usually takes; false when that was noted already. */
    async noteUsualRun(id: AppId, usualRunMs: number | null): Promise<boolean> {
      const noted = await db
        .updateTable('app')
        .set({ usualRunMs })
        .where('id', '=', id)
        .where('usualRunMs', 'is distinct from', usualRunMs)
        .returning('id')
        .executeTakeFirst();
      return noted !== undefined;
    },
  };
}

/** Asks the database only about an app that is not in the specification; throws `KS_APP` when there is none. */
export async function requireApp(db: Db, id: AppId): Promise<void> {
  if (!isSpecified(id) && !(await createAppsRepository(db).find(id))) throw new AppError('KS_APP');
}

/** What was registered of an app; undefined for one of the specification. */
export function selectAppFacts(app: Pick<AppRow, 'name' | 'scheme' | 'colour' | 'advertisers'>): AppFacts | undefined {
  const { name, scheme, colour, advertisers } = app;
  if (name === null) return undefined;
  return {
    name,
    scheme,
    colour: APP_COLOURS.find((known) => known === colour) ?? APP_COLOURS[0],
    advertisers: listOffered(advertisers) ?? [],
  };
}

/** Reads the advertisers of a registered app; undefined for one of the specification. */
export function listOffered(advertisers: AppRow['advertisers']): AdvertiserId[] | undefined {
  return advertisers?.split(',').flatMap((id) => ADVERTISER_IDS.find((known) => known === id) ?? []);
}
