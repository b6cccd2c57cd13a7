import type { ComparedTiming } from '@app/contracts/page-reports';
import type { Generated } from 'kysely';
import type { TokenColumns } from './stats.ts';

export interface ReleaseTables {
  unit: {
    name: string;
    /** The patterns of the paths that the unit may claim, as a JSON list. `*` stands for any characters. */
    paths: string;
    createdAt: number;
  };

  release: {
    unit: string;
    version: string;
    /** Its `release.json`, as published. */
    manifest: string;
    /** The SHA-256 of its `release.json`, which lists the hash of every other file. */
    digest: string;
    bytes: number;
    publishedAt: number;
    publishedBy: string;
    /** When it last became the stable version, or ceased to be it. */
    lastStableAt: Generated<number | null>;
    /** When it was rolled back, which says that it is not good. Null again when it is promoted anew. */
    withdrawnAt: Generated<number | null>;
    /** Until when a pin of a browser may name it. */
    pinnedUntil: Generated<number | null>;
  };

  /** A piece of the tar.gz of a release. */
  releasePiece: {
    unit: string;
    version: string;
    position: number;
    content: Uint8Array;
  };

  /** What a unit's visitors get: a row for each unit. */
  channel: {
    unit: string;
    stable: Generated<string | null>;
    canary: Generated<string | null>;
    /** The share of visitors that get the canary, in hundredths of a percent. */
    canaryShare: Generated<number | null>;
    canarySince: Generated<number | null>;
    /** The canary that was halted last, why, and when. */
    halted: Generated<string | null>;
    haltReason: Generated<string | null>;
    haltedAt: Generated<number | null>;
    lockReason: Generated<string | null>;
    lockedBy: Generated<string | null>;
    lockedAt: Generated<number | null>;
    movedBy: Generated<string | null>;
    movedAt: Generated<number | null>;
  };

  deployToken: TokenColumns & { unit: string };

  /** A CI job that an operator trusts with a unit: what its ID token has to say. */
  trustedCi: {
    id: string;
    unit: string;
    issuer: string;
    repository: string;
    /** The number that the repository keeps when it is renamed; null until its first job comes. */
    repositoryId: Generated<string | null>;
    /** The number of who owns it: an organization, a group or a person. */
    ownerId: Generated<string | null>;
    ref: string;
    /** Null when the job may run in any environment, or in none. */
    environment: string | null;
    createdAt: number;
    createdBy: string;
  };

  /** An ID token that was used, until it would have ended. */
  usedIdToken: {
    issuer: string;
    jti: string;
    endsAt: number;
  };

  /** Whether a version loaded or failed in a network. Each network has one report of each kind. */
  loadReport: {
    unit: string;
    version: string;
    kind: 'served' | 'failed';
    networkHmac: string;
    /** Who holds the network; null in rows of servers that did not know. */
    holderHmac: Generated<string | null>;
    reason: string | null;
    reportedAt: number;
  };

  /** How many visits to a page of a release were in a bucket of a timing on a day. */
  fieldTiming: {
    unit: string;
    version: string;
    /** Days since 1970 (UTC). */
    day: number;
    page: string;
    /** 1 when all scripts came from the browser's cache. */
    cached: 0 | 1;
    timing: ComparedTiming;
    bucket: number;
    visits: number;
  };

  /** A table of one row. A change of what is served raises the number first, so such changes wait for each other. */
  registryState: {
    id: number;
    revision: number;
  };
}
