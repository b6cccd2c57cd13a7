import type { Kysely } from 'kysely';
import type { AuditAnchorRow, AuditEventRow, Database } from '#api/db/schema.ts';
import type { PublicJwk } from '#api/features/keys/signing-key.ts';
import { readAnchor, type Anchor } from './anchor.ts';
import { canonicalJson, GENESIS_HASH, hashEvent, type AuditDetail } from './audit-hash.ts';
import { createAuditRepository, type AuditRepository } from './audit.repository.ts';

const BATCH = 1000;

export type AuditProblem =
  /** The row is not there, though something behind it says that it was. */
  | 'missing'
  /** The row no longer has the hash it was written with. */
  | 'edited'
  /** The row is whole in itself, but does not follow from the one before. */
  | 'unlinked'
  /** The row is not the one that an anchor was signed over. */
  | 'not_anchored'
  /** An anchor that ends at this row is not signed by a key of ours, or says something else than its row. */
  | 'anchor_forged';

export type AuditVerdict =
  | { ok: true; firstSeq: number; lastSeq: number; anchors: number; anchoredUntil: number }
  | { ok: false; seq: number; problem: AuditProblem };

/** The first row at which the chain breaks. */
class Broken extends Error {
  readonly seq: number;
  readonly problem: AuditProblem;

  constructor(seq: number, problem: AuditProblem) {
    super(`${problem} at ${String(seq)}`);
    this.seq = seq;
    this.problem = problem;
  }
}

/**
 * Follows the chain from where the newest anchor lets it begin to its end, and holds it against every anchor.
 * All of it as of one moment, so that it can be done while the server writes.
 * @param keys every public key that anchors may be signed with
 * @param elsewhere signed anchors that were kept outside the database
 */
export async function verifyAudit(db: Kysely<Database>, { keys, elsewhere = [] }: { keys: readonly PublicJwk[]; elsewhere?: readonly string[] }): Promise<AuditVerdict> {
  try {
    return await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((trx) => followChain(createAuditRepository(trx), keys, elsewhere));
  } catch (error) {
    if (error instanceof Broken) return { ok: false, seq: error.seq, problem: error.problem };
    throw error;
  }
}

async function followChain(audit: AuditRepository, keys: readonly PublicJwk[], elsewhere: readonly string[]): Promise<AuditVerdict> {
  const kept = (await audit.listAnchors()).map((row) => requireSigned(row, keys));
  const anchors = [...kept, ...elsewhere.map((jws) => requireAnchor(jws, keys))];
  const newest = anchors.reduce<Anchor | undefined>((last, anchor) => (last && last.day >= anchor.day ? last : anchor), undefined);
  const firstSeq = newest?.firstSeq ?? 1;

  const anchored = hashesBySeq(anchors);

  let last = { seq: firstSeq - 1, hash: hashBefore(firstSeq, anchors) };
  for (;;) {
    const rows = await audit.listFrom(last.seq + 1, BATCH);
    for (const row of rows) {
      requireNext(row, last);
      if ((anchored.get(row.seq) ?? row.hash) !== row.hash) throw new Broken(row.seq, 'not_anchored');
      last = row;
    }
    if (rows.length < BATCH) break;
  }

  const head = await audit.getHead();
  const anchoredUntil = anchors.reduce((most, { lastSeq }) => Math.max(most, lastSeq), 0);
  if (Math.max(head.seq, anchoredUntil) > last.seq) throw new Broken(last.seq + 1, 'missing');
  if (head.seq < last.seq) throw new Broken(head.seq + 1, 'unlinked');
  if (head.hash !== last.hash) throw new Broken(last.seq, 'unlinked');

  return { ok: true, firstSeq, lastSeq: last.seq, anchors: anchors.length, anchoredUntil };
}

function requireSigned(row: AuditAnchorRow, keys: readonly PublicJwk[]): Anchor {
  const { day, firstSeq, lastSeq, lastHash } = row;
  const anchor = readAnchor(row.jws, keys);
  if (!anchor || canonicalJson(anchor) !== canonicalJson({ day, firstSeq, lastSeq, lastHash })) throw new Broken(lastSeq, 'anchor_forged');

  return anchor;
}

function requireAnchor(jws: string, keys: readonly PublicJwk[]): Anchor {
  const anchor = readAnchor(jws, keys);
  if (!anchor) throw new Error('An anchor that was given is not signed by a key of this site.');

  return anchor;
}

/** Older rows have gone with their time; the anchor they were cut off at stands for them. */
function hashBefore(firstSeq: number, anchors: readonly Anchor[]): string {
  if (firstSeq === 1) return GENESIS_HASH;

  const base = anchors.find(({ lastSeq }) => lastSeq === firstSeq - 1);
  if (!base) throw new Broken(firstSeq - 1, 'missing');
  return base.lastHash;
}

function requireNext(row: AuditEventRow, last: { seq: number; hash: string }): void {
  if (row.seq !== last.seq + 1) throw new Broken(last.seq + 1, 'missing');
  if (!hasOwnHash(row)) throw new Broken(row.seq, 'edited');
  if (row.prevHash !== last.hash) throw new Broken(row.seq, 'unlinked');
}

function hasOwnHash({ prevHash, hash, detail: text, ...event }: AuditEventRow): boolean {
  const detail = readDetail(text);
  return detail !== undefined && canonicalJson(detail) === text && hashEvent(prevHash, { ...event, detail }) === hash;
}

function readDetail(text: string): AuditDetail | undefined {
  try {
    return JSON.parse(text) as AuditDetail;
  } catch {
    return undefined;
  }
}

/** What the chain has to be wherever an anchor was signed. */
function hashesBySeq(anchors: readonly Anchor[]): Map<number, string> {
  const hashes = new Map<number, string>();
  for (const { lastSeq, lastHash } of anchors) {
    if ((hashes.get(lastSeq) ?? lastHash) !== lastHash) throw new Broken(lastSeq, 'not_anchored');
    hashes.set(lastSeq, lastHash);
  }
  return hashes;
}
