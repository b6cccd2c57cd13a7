import type { AuditAnchorRow } from '#api/foundation/db/schema.ts';
import type { Signer } from '#api/foundation/crypto/signing-key.ts';
import {
  type Anchor,
  MAX_ANCHOR_AGE_DAYS,
  DAY_MS,
  dayAfter,
  isAhead,
  readAnchor,
  signAnchor,
  utcDay,
} from './anchor.ts';
import type { AuditTrust } from './audit-trust.ts';
import type { AuditRepository } from './audit.repository.ts';
import { auditAnchoredUntil } from '#api/foundation/telemetry/metrics.ts';

interface AuditDeps {
  audit: AuditRepository;
  trust: AuditTrust;
  signingKey: () => Signer;
  /** For how many days a row is kept. */
  retentionDays: number;
  now: () => number;
}

/** Signs the audit once for each day. It trusts an anchor of the database only when a trusted key has signed it. */
export function createAuditService({ audit, trust, signingKey, retentionDays, now }: AuditDeps) {
  /**
   * Anchors that the signer was asked for and that are not stored yet, by their days: it may have signed one whose answer
   * was late or lost, and signs no other anchor of such a day.
   */
  const asked = new Map<string, Anchor>();
  const keys = () => [signingKey().publicJwk, ...trust.listKeys()];

  function read(row: AuditAnchorRow): Anchor | undefined {
    const anchor = readAnchor(row.jws, keys());
    return anchor?.day === row.day ? anchor : undefined;
  }

  /** @throws Error when no trusted key has signed it: the next anchor would vouch for a forged one */
  async function findNewest(): Promise<{ anchor: Anchor; jws: string } | undefined> {
    const row = await audit.findNewestAnchor();
    if (!row) return undefined;

    const anchor = read(row);
    if (!anchor)
      throw new Error(
        `The anchor of ${row.day} is not signed by a key of this site; nothing more is signed. See audit verify`,
      );
    return { anchor, jws: row.jws };
  }

  /**
   * Requires that the chain still has the row that the newest stored anchor was signed over. A changed chain is not
   * signed again, because that would hide the change.
   * @throws Error when the row has another hash or is missing
   */
  async function requireKept(firstSeq: number): Promise<void> {
    const jws = trust.newestAnchor();
    const kept = jws === undefined ? undefined : readAnchor(jws, keys());
    if (!kept || kept.lastSeq < firstSeq) return;

    const [row] = await audit.listFrom(kept.lastSeq, 1);
    if (row?.seq !== kept.lastSeq || row.hash !== kept.lastHash)
      throw new Error(
        `Row ${String(kept.lastSeq)} is no longer the one that was signed for ${kept.day} (${trust.folder}); nothing more is signed. See audit verify`,
      );
  }

  /**
   * Chooses the first row that the chain has to keep. It is only ever cut at an anchor. All rows up to an anchor were
   * written before the end of the day after it, so once that day is older than the retention, all of them are.
   */
  async function chooseFirstSeq(newest: Anchor | undefined): Promise<number> {
    const row = await audit.findAnchorUntil(utcDay(now() - (retentionDays + 2) * DAY_MS));
    const old = row && read(row);
    return Math.max(newest?.firstSeq ?? 1, old ? old.lastSeq + 1 : 1);
  }

  /** Signs and stores an anchor; nothing when another server was first. */
  async function add(given: Anchor): Promise<AuditAnchorRow[]> {
    const anchor = asked.get(given.day) ?? given;
    asked.set(anchor.day, anchor);
    const key = signingKey();
    const row = { ...anchor, kid: key.kid, jws: await signAnchor(key, anchor) };
    const isFirst = await audit.addAnchor(row);
    asked.delete(row.day);
    if (!isFirst) return [];

    trust.keepAnchor(row.day, row.jws);
    recordAnchoredDay(row.day);
    return [row];
  }

  return {
    /**
     * Makes an anchor for each day that has ended and has none. A day on which no server ran repeats the anchor of the
     * day before it; a day that is too old to be signed gets none. While an event of an ended day is not sealed, nothing
     * is signed: the anchor would vouch for a day without it.
     * @returns the anchors that this call made
     * @throws Error when the chain is not the one that was signed before, or when the newest anchor is of a day that has
     *   not ended: until then nothing can be signed
     */
    async anchorEndedDays(): Promise<AuditAnchorRow[]> {
      const yesterday = utcDay(now() - DAY_MS);
      const found = await findNewest();
      await requireKept(found?.anchor.firstSeq ?? 1);
      // One server signs the anchor; each server stores it.
      if (found) trust.keepAnchor(found.anchor.day, found.jws);
      if (found) recordAnchoredDay(found.anchor.day);
      if (found && isAhead(found.anchor.day, now()))
        throw new Error(
          `${found.anchor.day} has an anchor and has not ended: a clock was ahead. Nothing more is signed. See audit verify`,
        );
      if (found && found.anchor.day >= yesterday) return [];
      const { since = Infinity } = await audit.countUnsealed();
      if (since < Date.parse(utcDay(now()))) return [];

      const made: AuditAnchorRow[] = [];
      if (found) {
        const oldest = utcDay(now() - MAX_ANCHOR_AGE_DAYS * DAY_MS);
        const next = dayAfter(found.anchor.day);
        let last = found.anchor;
        for (let day = next > oldest ? next : oldest; day < yesterday; day = dayAfter(day)) {
          last = asked.get(day) ?? { ...last, day };
          made.push(...(await add(last)));
        }
      }
      const { seq: lastSeq, hash: lastHash } = await audit.getHead();
      return [
        ...made,
        ...(await add({ day: yesterday, firstSeq: await chooseFirstSeq(found?.anchor), lastSeq, lastHash })),
      ];
    },

    /**
     * Removes rows that the newest anchor no longer needs. The anchor at which the chain is cut stays, because the next
     * row is bound to its hash.
     */
    async removeOld(limit: number): Promise<number> {
      const firstSeq = (await findNewest())?.anchor.firstSeq ?? 1;
      const removed = await audit.removeBelow(firstSeq, limit);
      await audit.removeAnchorsBelow(firstSeq - 1);
      return removed;
    },
  };
}

function recordAnchoredDay(day: string): void {
  auditAnchoredUntil.set(Date.parse(dayAfter(day)) / 1000);
}
