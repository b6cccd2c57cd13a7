import type { Unit } from '@app/contracts/unit';
import type { Db, DeployTokenRow, NewDeployToken } from '#api/foundation/db/schema.ts';

export function createDeployTokensRepository(db: Db) {
  return {
    findByHash(hash: string): Promise<DeployTokenRow | undefined> {
      return db.selectFrom('deployToken').selectAll().where('hash', '=', hash).executeTakeFirst();
    },

    list(): Promise<DeployTokenRow[]> {
      return db
        .selectFrom('deployToken')
        .selectAll()
        .orderBy('unit')
        .orderBy('createdAt', 'desc')
        .orderBy('id')
        .execute();
    },

    async add(token: NewDeployToken): Promise<void> {
      await db.insertInto('deployToken').values(token).execute();
    },

    /** @returns undefined when no token that works has this id */
    revoke(id: string, at: number): Promise<DeployTokenRow | undefined> {
      return db
        .updateTable('deployToken')
        .set({ revokedAt: at })
        .where('id', '=', id)
        .where('revokedAt', 'is', null)
        .returningAll()
        .executeTakeFirst();
    },

    async removeAll(unit: Unit): Promise<void> {
      await db.deleteFrom('deployToken').where('unit', '=', unit).execute();
    },

    /** Notes that a token is in use, unless that was noted after `noLaterThan`. */
    async noteUse(id: string, at: number, noLaterThan: number): Promise<void> {
      await db
        .updateTable('deployToken')
        .set({ lastUsedAt: at })
        .where('id', '=', id)
        .where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<=', noLaterThan)]))
        .execute();
    },
  };
}
