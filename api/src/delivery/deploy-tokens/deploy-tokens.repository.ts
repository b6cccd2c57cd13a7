import type { Unit } from '@app/contracts/unit';
import type {
  Db,
  DeployTokenRow,
  NewDeployToken,
  NewTrustedCi,
  TrustedCiRow,
  UsedIdTokenRow,
} from '#api/foundation/db/schema.ts';

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

export function createTrustedPublishersRepository(db: Db) {
  return {
    list(issuer?: string): Promise<TrustedCiRow[]> {
      return db
        .selectFrom('trustedCi')
        .selectAll()
        .$if(issuer !== undefined, (query) => query.where('issuer', '=', issuer ?? ''))
        .orderBy('unit')
        .orderBy('createdAt')
        .orderBy('id')
        .execute();
    },

    async add(row: NewTrustedCi): Promise<void> {
      await db.insertInto('trustedCi').values(row).execute();
    },

    /** Pins a trusted name to a repository. Returns undefined when it was pinned before. */
    pin(
      id: string,
      { repositoryId, ownerId }: Pick<TrustedCiRow, 'repositoryId' | 'ownerId'>,
    ): Promise<TrustedCiRow | undefined> {
      return db
        .updateTable('trustedCi')
        .set((eb) => ({
          repositoryId: eb.fn.coalesce('repositoryId', eb.val(repositoryId)),
          ownerId: eb.fn.coalesce('ownerId', eb.val(ownerId)),
        }))
        .where('id', '=', id)
        .where((eb) => eb.or([eb('repositoryId', 'is', null), eb('ownerId', 'is', null)]))
        .returningAll()
        .executeTakeFirst();
    },

    /** @returns whether an ID token is used for the first time, which is true for one request alone */
    async useToken(token: UsedIdTokenRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('usedIdToken')
        .values(token)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows > 0n;
    },

    async forgetEnded(at: number): Promise<number> {
      const { numDeletedRows } = await db.deleteFrom('usedIdToken').where('endsAt', '<', at).executeTakeFirst();
      return Number(numDeletedRows);
    },

    /** @returns undefined when there is none with this id */
    remove(id: string): Promise<TrustedCiRow | undefined> {
      return db.deleteFrom('trustedCi').where('id', '=', id).returningAll().executeTakeFirst();
    },

    async removeAll(unit: Unit): Promise<void> {
      await db.deleteFrom('trustedCi').where('unit', '=', unit).execute();
    },
  };
}
