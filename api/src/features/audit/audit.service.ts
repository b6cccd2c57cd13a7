import type { AuditAnchorRow } from '#api/db/schema.ts';
import type { SigningKey } from '#api/crypto/signing-key.ts';
import { readAnchor, signAnchor, type Anchor } from './anchor.ts';
import type { AuditTrust } from './audit-trust.ts';
import type { AuditRepository } from './audit.repository.ts';
import { DAY_MS, dayAfter, utcDay } from './utc-day.ts';

interface AuditDeps {
  audit: AuditRepository;
  trust: AuditTrust;
  signingKey: () => SigningKey;
  /** For how many days a row is kept. */
  retentionDays: number;
  now: () => number;
}

export type AuditService = ReturnType<typeof createAuditService>;

/** Signs the audit day by day. It believes no row of the database that no trusted key has signed. */
export function createAuditService({ audit, trust, signingKey, retentionDays, now }: AuditDeps) {
  const keys = () => [signingKey().publicJwk, ...trust.listKeys()];

  /** What a row says that a key of ours has signed. */
  function read(row: AuditAnchorRow): Anchor | undefined {
    const anchor = readAnchor(row.jws, keys());
    return anchor?.day === row.day ? anchor : undefined;
  }

  /** The newest anchor, unless it is not to be believed: what comes after it would then vouch for it. */
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

  /** A chain that no longer holds what was signed before is not signed again: that would hide what happened to it. */
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
   * Where the chain may begin. It is only ever cut at an anchor, and what an anchor holds was written before the end of
   * the day after it: with that day too beyond the retention, everything in it is.
   */
  async function chooseFirstSeq(newest: Anchor | undefined): Promise<number> {
    const row = await audit.findAnchorUntil(utcDay(now() - (retentionDays + 2) * DAY_MS));
    const old = row && read(row);
    return Math.max(newest?.firstSeq ?? 1, old ? old.lastSeq + 1 : 1);
  }

  /** Signs and keeps an anchor, unless another server was first. */
  async function add(anchor: Anchor): Promise<AuditAnchorRow[]> {
    const key = signingKey();
    const row = { ...anchor, kid: key.kid, jws: signAnchor(key, anchor) };
    if (!(await audit.addAnchor(row))) return [];

    trust.keepAnchor(row.day, row.jws);
    return [row];
  }

  return {
    /**
     * Signs the chain as it stands, once for each day that has ended. Days on which no server ran say what the day
     * before them said. Gives the anchors that this call made.
     * @throws Error when the chain is not the one that was signed before
     */
    async anchorEndedDays(): Promise<AuditAnchorRow[]> {
      const yesterday = utcDay(now() - DAY_MS);
      const found = await findNewest();
      await requireKept(found?.anchor.firstSeq ?? 1);
      // Of several servers one signs, and each keeps.
      if (found) trust.keepAnchor(found.anchor.day, found.jws);
      if (found && found.anchor.day >= yesterday) return [];

      const made: AuditAnchorRow[] = [];
      if (found) {
        for (let day = dayAfter(found.anchor.day); day < yesterday; day = dayAfter(day))
          made.push(...(await add({ ...found.anchor, day })));
      }
      const { seq: lastSeq, hash: lastHash } = await audit.getHead();
      return [
        ...made,
        ...(await add({ day: yesterday, firstSeq: await chooseFirstSeq(found?.anchor), lastSeq, lastHash })),
      ];
    },

    /**
     * Removes rows that the newest anchor says are no longer needed, and says how many. The anchor they were cut off at
     * stays: what follows is bound to its hash.
     */
    async removeOld(limit: number): Promise<number> {
      const firstSeq = (await findNewest())?.anchor.firstSeq ?? 1;
      const removed = await audit.removeBelow(firstSeq, limit);
      await audit.removeAnchorsBelow(firstSeq - 1);
      return removed;
    },
  };
}
