import type { AuditAnchorRow, AuditEventRow, Db } from '#api/foundation/db/schema.ts';
import type { PublicJwk } from '#api/foundation/crypto/public-jwk.ts';
import { type Anchor, DAY_MS, dayAfter, ANCHOR_GRACE_MS, isAhead, readAnchor, utcDay } from './anchor.ts';
import { canonicalJson, GENESIS_HASH, hashEvent, parseDetail, shortenHash } from './audit-entry.ts';
import type { TrustedAudit } from './audit-trust.ts';
import { createAuditRepository, type AuditRepository } from './audit.repository.ts';

const BATCH_SIZE = 1000;

export type AuditProblem =
  | {
      /**
       * `missing`: a later row or an anchor says that it existed. `edited`: it no longer has its contents. `unlinked`: its
       * previous hash is not that of the row before. `not_anchored`: it is not the one that an anchor was signed over.
       */
      problem: 'missing' | 'edited' | 'unlinked' | 'not_anchored';
      seq: number;
    }
  | {
      /**
       * `anchor_forged`: it differs from what was signed, or its signature is wrong. `unknown_key`: its key is not trusted.
       * `anchor_ahead`: the day has not ended, so what still happens on it is not signed.
       */
      problem: 'anchor_forged' | 'unknown_key' | 'no_anchor' | 'anchor_ahead';
      day: string;
    }
  /**
   * `not_an_anchor`: a text that was kept outside the database is not signed by a trusted key. `no_anchors`: the site is not
   * new. `no_rows`: the first start of a site writes one.
   */
  | { problem: 'not_an_anchor' | 'no_anchors' | 'no_rows' };

export type AuditVerdict =
  | {
      ok: true;
      firstSeq: number;
      lastSeq: number;
      /** How many events are committed, but not yet in the chain. */
      unsealed: number;
      /** When the oldest of these was recorded, in epoch milliseconds. */
      unsealedSince: number | undefined;
      anchors: number;
      anchoredUntil: number;
      since: number | undefined;
    }
  | ({ ok: false } & AuditProblem);

function throwProblem(found: AuditProblem): never {
  throw new VerificationError(found);
}

/** Thrown at the first problem. */
class VerificationError extends Error {
  readonly found: AuditProblem;

  constructor(found: AuditProblem) {
    super(found.problem);
    this.found = found;
  }
}

interface VerifyOptions {
  trusted: TrustedAudit;
  now: number;
}

/**
 * Verifies the chain, from the first row that the newest anchor requires to the end, and compares it with every anchor.
 * It reads one snapshot of the database, so the server may write meanwhile.
 * @returns the first problem, if there is one
 */
export async function verifyAudit(db: Db, options: VerifyOptions): Promise<AuditVerdict> {
  try {
    return await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((trx) => verifyChain(createAuditRepository(trx), options));
  } catch (error) {
    if (error instanceof VerificationError) return { ok: false, ...error.found };
    throw error;
  }
}

async function verifyChain(audit: AuditRepository, { trusted, now }: VerifyOptions): Promise<AuditVerdict> {
  const kept = (await audit.listAnchors()).map((row) => requireSigned(row, trusted.keys));
  const anchors = [
    ...kept,
    ...trusted.anchors.map((jws) => readAnchor(jws, trusted.keys) ?? throwProblem({ problem: 'not_an_anchor' })),
  ];
  const [newest] = anchors.toSorted((a, b) => b.day.localeCompare(a.day));
  const firstSeq = newest?.firstSeq ?? 1;
  const anchored = hashesBySeq(anchors);
  let last = { seq: firstSeq - 1, hash: hashBefore(firstSeq, anchors) };
  for (;;) {
    const rows = await audit.listFrom(last.seq + 1, BATCH_SIZE);
    for (const row of rows) {
      requireLinked(row, last);
      if ((anchored.get(row.seq) ?? row.hash) !== row.hash) throwProblem({ problem: 'not_anchored', seq: row.seq });
      last = row;
    }
    if (rows.length < BATCH_SIZE) break;
  }
  const { count: unsealed, since: unsealedSince } = await audit.countUnsealed();
  if (last.seq === 0 && unsealed === 0) throwProblem({ problem: 'no_rows' });

  const head = await audit.getHead();
  const anchoredUntil = anchors.reduce((most, { lastSeq }) => Math.max(most, lastSeq), 0);
  if (Math.max(head.seq, anchoredUntil) > last.seq) throwProblem({ problem: 'missing', seq: last.seq + 1 });
  if (head.seq < last.seq) throwProblem({ problem: 'unlinked', seq: head.seq + 1 });
  if (head.hash !== last.hash) throwProblem({ problem: 'unlinked', seq: last.seq });

  const [ahead] = anchors
    .map(({ day }) => day)
    .filter((day) => isAhead(day, now))
    .sort();
  if (ahead !== undefined) throwProblem({ problem: 'anchor_ahead', day: ahead });
  requireEveryDay(kept, anchors.length, trusted.since, now);
  const counted = { firstSeq, lastSeq: last.seq, unsealed, unsealedSince, anchors: kept.length, anchoredUntil };
  return { ok: true, ...counted, since: trusted.since };
}

/**
 * Requires an anchor for each day, from the first anchored day to the last day that has ended. Days before the first
 * key was stored do not count: earlier versions signed nothing for a day on which they did not run. Nor do days between
 * two anchors of the same row: nothing was written then, as when no server ran for longer than days can be signed.
 */
function requireEveryDay(kept: readonly Anchor[], anchorCount: number, since: number | undefined, now: number): void {
  const [first, ...others] = kept;
  if (!first) {
    // A new site has no anchor until its first sweep. That the site is new is known from outside the database.
    if (anchorCount === 0 && since !== undefined && now - since < DAY_MS) return;
    throwProblem({ problem: 'no_anchors' });
  }

  let before = first;
  let expected = dayAfter(first.day);
  const requireUntil = (day: string) => {
    const missing = since === undefined || expected >= utcDay(since) ? expected : utcDay(since);
    if (missing < day) throwProblem({ problem: 'no_anchor', day: missing });
    expected = dayAfter(day);
  };
  for (const anchor of others) {
    if (anchor.lastSeq === before.lastSeq && anchor.lastHash === before.lastHash) expected = anchor.day;
    requireUntil(anchor.day);
    before = anchor;
  }
  // The first sweep after midnight signs the day that has ended.
  requireUntil(utcDay(now - ANCHOR_GRACE_MS));
}

function requireSigned(row: AuditAnchorRow, keys: readonly PublicJwk[]): Anchor {
  const { day, firstSeq, lastSeq, lastHash } = row;
  const anchor = readAnchor(row.jws, keys);
  if (anchor && canonicalJson(anchor) === canonicalJson({ day, firstSeq, lastSeq, lastHash })) return anchor;

  throwProblem({
    problem: anchor || keys.some(({ kid }) => kid === row.kid) ? 'anchor_forged' : 'unknown_key',
    day,
  });
}

/**
 * The hash before the first row. Older rows are removed after their retention; the anchor at which the chain was cut
 * has the hash of the last one.
 */
function hashBefore(firstSeq: number, anchors: readonly Anchor[]): string {
  if (firstSeq === 1) return GENESIS_HASH;

  const base = anchors.find(({ lastSeq }) => lastSeq === firstSeq - 1);
  return base?.lastHash ?? throwProblem({ problem: 'missing', seq: firstSeq - 1 });
}

function requireLinked(row: AuditEventRow, last: { seq: number; hash: string }): void {
  if (row.seq !== last.seq + 1) throwProblem({ problem: 'missing', seq: last.seq + 1 });
  if (![last.hash, shortenHash(last.hash)].includes(row.prevHash)) throwProblem({ problem: 'unlinked', seq: row.seq });
  if (!hasOwnHash(row, last.hash)) throwProblem({ problem: 'edited', seq: row.seq });
}

function hasOwnHash({ hash, detail: text, ...event }: AuditEventRow, prevHash: string): boolean {
  const detail = parseDetail(text);
  return (
    detail !== undefined && hashEvent(prevHash, { ...event, detail }, hash.length === 64 ? 'hex' : 'base64url') === hash
  );
}

/** The hash that each anchored row must have, by its number. */
function hashesBySeq(anchors: readonly Anchor[]): Map<number, string> {
  const hashes = new Map<number, string>();
  for (const { lastSeq, lastHash } of anchors) {
    if ((hashes.get(lastSeq) ?? lastHash) !== lastHash) throwProblem({ problem: 'not_anchored', seq: lastSeq });
    hashes.set(lastSeq, lastHash);
  }
  return hashes;
}
