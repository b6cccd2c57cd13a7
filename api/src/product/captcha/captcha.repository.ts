import { writesRow } from '#api/foundation/db/dialect.ts';
import type { OperatingSystem } from '@app/contracts/key-system';
import type { Db, NewCaptchaPass } from '#api/foundation/db/schema.ts';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';

export function createCaptchaRepository(db: Db) {
  return {
    /** False when the same solution was handed in before. */
    grant(pass: NewCaptchaPass): Promise<boolean> {
      return writesRow(
        db
          .insertInto('captchaPass')
          .values(pass)
          .onConflict((conflict) => conflict.column('tokenHash').doNothing()),
      );
    },

    /**
     * Consumes one pass of the device, in a single statement. The pass must have been earned in the client's browser.
     * Where the client has no cookie from before it, or had none then, it must have been earned in the client's network.
     * @param os the system that the pass is for; undefined: of any system
     * @returns false when there is no such pass
     */
    consume(
      hwidHmac: string,
      os: OperatingSystem | undefined,
      { browser, networks }: ClientIdentity,
      at: number,
    ): Promise<boolean> {
      const pass = db
        .selectFrom('captchaPass')
        .select('id')
        .where('hwidHmac', '=', hwidHmac)
        .where('consumedAt', 'is', null)
        .where('expiresAt', '>', at)
        .where((pass) => {
          const ofNetwork = pass('ipHmac', 'in', networks);
          if (!browser) return ofNetwork;
          // A lost cookie is replaced by the first answer, also by one that refuses to begin a run.
          const isOfNoOther = pass.or([pass('visitorHmac', 'is', null), pass('passedAt', '<', browser.since)]);
          return pass.or([pass('visitorHmac', '=', browser.hmac), pass.and([ofNetwork, isOfNoOther])]);
        })
        .$if(os !== undefined, (query) => query.where('os', '=', os ?? null))
        .orderBy('expiresAt')
        .limit(1);
      return writesRow(
        db.updateTable('captchaPass').set({ consumedAt: at }).where('id', '=', pass).where('consumedAt', 'is', null),
      );
    },
  };
}
