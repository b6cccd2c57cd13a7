import type { Db, SigningKeyRow } from '#api/db/schema.ts';
import { appendAudit } from '#api/features/audit/append-audit.ts';

/** A key's public half, as it stands in the table. */
export type PublicHalf = Pick<SigningKeyRow, 'kid' | 'alg' | 'publicJwk'>;

/** Why a key may not do what was asked for: nobody has been shown it, not for long enough, no longer, or its id is another one's. */
export type RotationRefusal = { reason: 'unpublished' | 'over' | 'taken' } | { reason: 'too new'; signsFrom: number };

export class SigningKeyRefused extends Error {
  override readonly name = 'SigningKeyRefused';
  readonly refusal: RotationRefusal;

  constructor(refusal: RotationRefusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}

export interface Activation {
  at: number;
  /** Until when the key that it takes over from stays published. */
  oldUntil: number;
  /** It signs at once, and every other key is withdrawn at once: somebody else may have it. */
  isEmergency: boolean;
}

export type SigningKeysRepository = ReturnType<typeof createSigningKeysRepository>;

export function createSigningKeysRepository(db: Db) {
  return {
    /**
     * Makes a key the one that signs; it changes nothing where it is that already.
     * @throws SigningKeyRefused, and then nothing has changed
     */
    activate(key: PublicHalf, activation: Activation): Promise<void> {
      return db.transaction().execute((trx) => activate(trx, key, activation));
    },

    /**
     * Publishes the key that is to sign next, in place of any other that was to; it changes nothing where it is known.
     * @param signsFrom when it may sign, if it is new
     * @throws SigningKeyRefused, and then nothing has changed
     */
    publishNext(next: PublicHalf, at: number, signsFrom: number): Promise<SigningKeyRow> {
      return db.transaction().execute((trx) => publishNext(trx, next, at, signsFrom));
    },

    /** Withdraws the key that was to sign next. It has signed nothing, so nobody misses it. */
    withdrawNext(at: number): Promise<void> {
      return db.transaction().execute(async (trx) => recordAll(trx, at, 'withdrawn', await deleteNext(trx)));
    },

    /** Every key that there ever was, the newest first. */
    list(): Promise<SigningKeyRow[]> {
      return db.selectFrom('signingKey').selectAll().orderBy('notBefore', 'desc').execute();
    },

    /** Every key whose signatures may still be met. */
    listPublished(at: number): Promise<SigningKeyRow[]> {
      return db
        .selectFrom('signingKey')
        .selectAll()
        .where((where) => where.or([where('notAfter', 'is', null), where('notAfter', '>', at)]))
        .orderBy('notBefore', 'desc')
        .execute();
    },
  };
}

async function activate(trx: Db, key: PublicHalf, { at, oldUntil, isEmergency }: Activation): Promise<void> {
  const before = await findOurs(trx, key);
  if (before?.status === 'active') return;

  await retireOthers(trx, key, isEmergency ? at : oldUntil);
  const isActive = (await promote(trx, key, at, isEmergency)) || (await insertActive(trx, key, at, isEmergency));
  if (!isActive) throw whyNot(await findOurs(trx, key), at);

  const revoked = isEmergency ? await revokeSignedByOthers(trx, key, at) : 0;
  await appendAudit(trx, {
    at,
    kind: 'signing_key',
    code: 'activated',
    subject: null,
    detail: { kid: key.kid, emergency: isEmergency, revoked },
  });
}

/** Whatever else has signed is published until then, and no longer. */
async function retireOthers(trx: Db, { kid }: PublicHalf, until: number): Promise<void> {
  await trx
    .updateTable('signingKey')
    .set({ status: 'retired', notAfter: until })
    .where('kid', '<>', kid)
    .where('status', '<>', 'next')
    .where((where) => where.or([where('notAfter', 'is', null), where('notAfter', '>', until)]))
    .execute();
}

/** What nobody can check any more is worth nothing; its owners may earn another one at once. */
async function revokeSignedByOthers(trx: Db, { kid }: PublicHalf, at: number): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('accessKey')
    .set({ revokedAt: at, revokeReason: 'signing key withdrawn' })
    .where('kid', '<>', kid)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', at)
    .executeTakeFirst();

  return Number(numUpdatedRows);
}

async function promote(trx: Db, { kid }: PublicHalf, at: number, isEmergency: boolean): Promise<boolean> {
  const promoted = await trx
    .updateTable('signingKey')
    .set({ status: 'active', notAfter: null })
    .where('kid', '=', kid)
    .where((where) => where.or([where('notAfter', 'is', null), where('notAfter', '>', at)]))
    // One that signs already goes on: of two servers that start at once, the second may have looked at the clock first.
    .$if(!isEmergency, (query) =>
      query.where((where) => where.or([where('notBefore', '<=', at), where('status', '=', 'active')])),
    )
    .returning('kid')
    .executeTakeFirst();

  return promoted !== undefined;
}

/** The very first key signs at once, as nobody can know another one; and so does one in an emergency. */
async function insertActive(trx: Db, key: PublicHalf, at: number, isEmergency: boolean): Promise<boolean> {
  const other = await trx
    .selectFrom('signingKey')
    .select('kid')
    .where('status', '<>', 'next')
    .limit(1)
    .executeTakeFirst();
  if (other && !isEmergency) return false;

  await trx
    .insertInto('signingKey')
    .values({ ...key, status: 'active', notBefore: at, notAfter: null })
    // Of two servers that start for the first time at once, one is first; with the same key both have it.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findOurs(trx, key))?.status === 'active';
}

async function publishNext(trx: Db, next: PublicHalf, at: number, signsFrom: number): Promise<SigningKeyRow> {
  const withdrawn = await deleteNext(trx, next);
  const published = await trx
    .insertInto('signingKey')
    .values({ ...next, status: 'next', notBefore: signsFrom, notAfter: null })
    .onConflict((conflict) => conflict.column('kid').doNothing())
    .returning('kid')
    .execute();
  const row = await findOurs(trx, next);
  if (!row || isOver(row, at)) throw whyNot(row, at);

  await recordAll(trx, at, 'withdrawn', withdrawn);
  await recordAll(trx, at, 'published', published);
  return row;
}

function deleteNext(trx: Db, except?: PublicHalf): Promise<{ kid: string }[]> {
  return trx
    .deleteFrom('signingKey')
    .where('status', '=', 'next')
    .where('kid', '<>', except?.kid ?? '')
    .returning('kid')
    .execute();
}

async function recordAll(trx: Db, at: number, code: string, keys: readonly { kid: string }[]): Promise<void> {
  for (const { kid } of keys) await appendAudit(trx, { at, kind: 'signing_key', code, subject: null, detail: { kid } });
}

/** The key's row. One id stands for one key for ever. */
async function findOurs(trx: Db, { kid, publicJwk }: PublicHalf): Promise<SigningKeyRow | undefined> {
  const row = await trx.selectFrom('signingKey').selectAll().where('kid', '=', kid).executeTakeFirst();
  if (row && row.publicJwk !== publicJwk) throw new SigningKeyRefused({ reason: 'taken' });
  return row;
}

function isOver({ notAfter }: SigningKeyRow, at: number): boolean {
  return notAfter !== null && notAfter <= at;
}

/** The write has already refused; this only finds out why. */
function whyNot(row: SigningKeyRow | undefined, at: number): SigningKeyRefused {
  if (!row) return new SigningKeyRefused({ reason: 'unpublished' });
  return new SigningKeyRefused(isOver(row, at) ? { reason: 'over' } : { reason: 'too new', signsFrom: row.notBefore });
}
