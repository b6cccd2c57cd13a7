import type { AuditAnchorRow } from '#api/db/schema.ts';
import type { SigningKey } from '#api/features/keys/signing-key.ts';
import { signAnchor, type Anchor } from './anchor.ts';
import type { AuditRepository } from './audit.repository.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface AuditDeps {
  audit: AuditRepository;
  signingKey: () => SigningKey;
  /** For how many days a row is kept. */
  retentionDays: number;
  now: () => number;
}

export type AuditService = ReturnType<typeof createAuditService>;

export function createAuditService({ audit, signingKey, retentionDays, now }: AuditDeps) {
  /**
   * Where the chain may begin. It is only ever cut at an anchor, and what an anchor holds was written before the end of
   * the day after it: with that day too beyond the retention, everything in it is.
   */
  async function chooseFirstSeq(newest: AuditAnchorRow | undefined): Promise<number> {
    const old = await audit.findAnchorUntil(utcDay(now() - (retentionDays + 2) * DAY_MS));
    return Math.max(newest?.firstSeq ?? 1, old ? old.lastSeq + 1 : 1);
  }

  return {
    /** Signs the chain as it stands, once for each day that has ended. Gives the anchor that this call made. */
    async anchorYesterday(): Promise<AuditAnchorRow | undefined> {
      const day = utcDay(now() - DAY_MS);
      const newest = await audit.findNewestAnchor();
      if (newest && newest.day >= day) return undefined;

      const { seq: lastSeq, hash: lastHash } = await audit.getHead();
      const anchor: Anchor = { day, firstSeq: await chooseFirstSeq(newest), lastSeq, lastHash };
      const key = signingKey();
      const row = { ...anchor, kid: key.kid, jws: signAnchor(key, anchor) };
      return (await audit.addAnchor(row)) ? row : undefined;
    },

    /**
     * Removes rows that the newest anchor says are no longer needed, and says how many. The anchor they were cut off at
     * stays: what follows is bound to its hash.
     */
    async removeOld(limit: number): Promise<number> {
      const { firstSeq } = (await audit.findNewestAnchor()) ?? { firstSeq: 1 };
      const removed = await audit.removeBelow(firstSeq, limit);
      await audit.removeAnchorsBelow(firstSeq - 1);
      return removed;
    },
  };
}

function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
