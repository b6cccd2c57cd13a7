import type { CodeRow, Db, NewCode } from '#api/foundation/db/schema.ts';

/** Which codes an operator means: those of a batch, or one. */
export type WhichCodes = { batchId: string } | { codeHash: string };

export function createCodesRepository(db: Db) {
  return {
    async insert(codes: readonly NewCode[]): Promise<void> {
      await db.insertInto('licenceCode').values(codes).execute();
    },

    find(codeHash: string): Promise<CodeRow | undefined> {
      return db.selectFrom('licenceCode').selectAll().where('codeHash', '=', codeHash).executeTakeFirst();
    },

    /** Takes a code that is neither redeemed nor revoked. Of many calls at once one gets it, the others undefined. */
    claim(codeHash: string, at: number): Promise<CodeRow | undefined> {
      return db
        .updateTable('licenceCode')
        .set({ redeemedAt: at })
        .where('codeHash', '=', codeHash)
        .where('redeemedAt', 'is', null)
        .where('revokedAt', 'is', null)
        .returningAll()
        .executeTakeFirst();
    },

    /** Revokes codes that are not redeemed; returns those that this call revoked. */
    revoke(which: WhichCodes, at: number): Promise<CodeRow[]> {
      const codes = db
        .updateTable('licenceCode')
        .set({ revokedAt: at })
        .where('redeemedAt', 'is', null)
        .where('revokedAt', 'is', null)
        .returningAll();
      return (
        'batchId' in which ? codes.where('batchId', '=', which.batchId) : codes.where('codeHash', '=', which.codeHash)
      ).execute();
    },

    /** Counts the codes of each batch, the newest batch first. */
    countBatches({ resellerId, batchId }: { resellerId?: string | undefined; batchId?: string | undefined }) {
      return db
        .selectFrom('licenceCode')
        .select(({ fn }) => [
          'batchId',
          'resellerId',
          'planId',
          fn.min('issuedAt').as('issuedAt'),
          fn.countAll<number>().as('issued'),
          fn.count<number>('redeemedAt').as('redeemed'),
          fn.count<number>('revokedAt').as('revoked'),
        ])
        .$if(resellerId !== undefined, (batches) => batches.where('resellerId', '=', resellerId ?? ''))
        .$if(batchId !== undefined, (batches) => batches.where('batchId', '=', batchId ?? ''))
        .groupBy(['batchId', 'resellerId', 'planId'])
        .orderBy('issuedAt', 'desc')
        .orderBy('batchId')
        .execute();
    },
  };
}
