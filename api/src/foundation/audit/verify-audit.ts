import type { AuditAnchorRow, AuditEventRow, Db } from '#api/foundation/db/schema.ts';
import type { PublicJwk } from '#api/foundation/crypto/public-jwk.ts';
import { type Anchor, DAY_MS, dayAfter, GRACE_MS, isAhead, readAnchor, utcDay } from './anchor.ts';
import { canonicalJson, GENESIS_HASH, hashEvent, parseDetail } from './audit-entry.ts';
import type { TrustedAudit } from './audit-trust.ts';
import { createAuditRepository, type AuditRepository } from './audit.repository.ts';

const BATCH = 1000;

export type AuditProblem =
  /** The row is missing, although a later row or an anchor says that it existed. */
  | { problem: 'missing'; seq: number }
  /** The row no longer has the contents that it was written with. */
  | { problem: 'edited'; seq: number }
  /** The row is intact, but its previous hash is not that of the row before. */
  | { problem: 'unlinked'; seq: number }
  /** The row is not the one that an anchor was signed over. */
  | { problem: 'not_anchored'; seq: number }
  /** The stored anchor of the day differs from what was signed, or its signature is wrong. */
  | { problem: 'anchor_forged'; day: string }
  /** The anchor of the day is signed by a key that is not trusted. */
  | { problem: 'unknown_key'; day: string }
  /** The day has ended and has no anchor. */
  | { problem: 'no_anchor'; day: string }
  /** The day has an anchor, but has not ended. What happens on it is not signed. */
  | { problem: 'anchor_ahead'; day: string }
  /** A text that was kept outside the database as an anchor is not signed by a trusted key. */
  | { problem: 'not_an_anchor' }
  /** There are no anchors, although the site is not new. */
  | { problem: 'no_anchors' }
  /** There are no rows, although the first start of a site writes one. */
  | { problem: 'no_rows' };

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

/** Thrown at the first problem. */
class Broken extends Error {
  readonly found: AuditProblem;

  constructor(found: AuditProblem) {
    super(found.problem);
    this.found = found;
  }
}

interface VerifyOptions {
  /** Keys and anchors that are kept outside the database. No key in the database is trusted. */
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
      .execute((trx) => followChain(createAuditRepository(trx), options));
  } catch (error) {
    if (error instanceof Broken) return { ok: false, ...error.found };
    throw error;
  }
}

async function followChain(audit: AuditRepository, { trusted, now }: VerifyOptions): Promise<AuditVerdict> {
  const kept = (await audit.listAnchors()).map((row) => requireSigned(row, trusted.keys));
  const anchors = [...kept, ...trusted.anchors.map((jws) => requireAnchor(jws, trusted.keys))];
  const newest = anchors.reduce<Anchor | undefined>(
    (last, anchor) => (last && last.day >= anchor.day ? last : anchor),
    undefined,
  );
  const firstSeq = newest?.firstSeq ?? 1;

  const anchored = hashesBySeq(anchors);

  let last = { seq: firstSeq - 1, hash: hashBefore(firstSeq, anchors) };
  for (;;) {
    const rows = await audit.listFrom(last.seq + 1, BATCH);
    for (const row of rows) {
      requireNext(row, last);
      if ((anchored.get(row.seq) ?? row.hash) !== row.hash) throw new Broken({ problem: 'not_anchored', seq: row.seq });
      last = row;
    }
    if (rows.length < BATCH) break;
  }
  const { count: unsealed, since: unsealedSince } = await audit.countUnsealed();
  if (last.seq === 0 && unsealed === 0) throw new Broken({ problem: 'no_rows' });

  const head = await audit.getHead();
  const anchoredUntil = anchors.reduce((most, { lastSeq }) => Math.max(most, lastSeq), 0);
  if (Math.max(head.seq, anchoredUntil) > last.seq) throw new Broken({ problem: 'missing', seq: last.seq + 1 });
  if (head.seq < last.seq) throw new Broken({ problem: 'unlinked', seq: head.seq + 1 });
  if (head.hash !== last.hash) throw new Broken({ problem: 'unlinked', seq: last.seq });

  const [ahead] = anchors
    .map(({ day }) => day)
    .filter((day) => isAhead(day, now))
    .sort();
  if (ahead !== undefined) throw new Broken({ problem: 'anchor_ahead', day: ahead });
  requireEveryDay(kept, anchors.length, trusted.since, now);
  return {
    ok: true,
    firstSeq,
    lastSeq: last.seq,
    unsealed,
    unsealedSince,
    anchors: kept.length,
    anchoredUntil,
    since: trusted.since,
  };
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
    throw new Broken({ problem: 'no_anchors' });
  }

  let before = first;
  let expected = dayAfter(first.day);
  const requireUntil = (day: string) => {
    const missing = since === undefined || expected >= utcDay(since) ? expected : utcDay(since);
    if (missing < day) throw new Broken({ problem: 'no_anchor', day: missing });
    expected = dayAfter(day);
  };
  for (const anchor of others) {
    if (anchor.lastSeq === before.lastSeq && anchor.lastHash === before.lastHash) expected = anchor.day;
    requireUntil(anchor.day);
    before = anchor;
  }
  // The first sweep after midnight signs the day that has ended.
  requireUntil(utcDay(now - GRACE_MS));
}

function requireSigned(row: AuditAnchorRow, keys: readonly PublicJwk[]): Anchor {
  const { day, firstSeq, lastSeq, lastHash } = row;
  const anchor = readAnchor(row.jws, keys);
  if (anchor && canonicalJson(anchor) === canonicalJson({ day, firstSeq, lastSeq, lastHash })) return anchor;

  throw new Broken({
    problem: anchor || keys.some(({ kid }) => kid === row.kid) ? 'anchor_forged' : 'unknown_key',
    day,
  });
}

function requireAnchor(jws: string, keys: readonly PublicJwk[]): Anchor {
  const anchor = readAnchor(jws, keys);
  if (!anchor) throw new Broken({ problem: 'not_an_anchor' });

  return anchor;
}

/**
 * The hash before the first row. Older rows are removed after their retention; the anchor at which the chain was cut
 * has the hash of the last one.
 */
function hashBefore(firstSeq: number, anchors: readonly Anchor[]): string {
  if (firstSeq === 1) return GENESIS_HASH;

  const base = anchors.find(({ lastSeq }) => lastSeq === firstSeq - 1);
  if (!base) throw new Broken({ problem: 'missing', seq: firstSeq - 1 });
  return base.lastHash;
}

function requireNext(row: AuditEventRow, last: { seq: number; hash: string }): void {
  if (row.seq !== last.seq + 1) throw new Broken({ problem: 'missing', seq: last.seq + 1 });
  if (!hasOwnHash(row)) throw new Broken({ problem: 'edited', seq: row.seq });
  if (row.prevHash !== last.hash) throw new Broken({ problem: 'unlinked', seq: row.seq });
}

function hasOwnHash({ prevHash, hash, detail: text, ...event }: AuditEventRow): boolean {
  const detail = parseDetail(text);
  return detail !== undefined && hashEvent(prevHash, { ...event, detail }) === hash;
}

/** The hash that each anchored row must have, by its number. */
function hashesBySeq(anchors: readonly Anchor[]): Map<number, string> {
  const hashes = new Map<number, string>();
  for (const { lastSeq, lastHash } of anchors) {
    if ((hashes.get(lastSeq) ?? lastHash) !== lastHash) throw new Broken({ problem: 'not_anchored', seq: lastSeq });
    hashes.set(lastSeq, lastHash);
  }
  return hashes;
}
