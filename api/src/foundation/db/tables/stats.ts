import type { Generated } from 'kysely';

/** What became of the attempts of one UTC day: that on which visitors left for the advertiser. */
export interface AttemptCountTable {
  appId: string;
  /** Such as `2026-12-31`. */
  day: string;
  step: number;
  advertiserId: string;
  sent: number;
  returned: number;
  credited: number;
  refused: number;
  lost: number;
}

/** Keys by the UTC day on which they were issued or withdrawn. */
export interface KeyCountTable {
  appId: string;
  day: string;
  issued: Generated<number>;
  withdrawn: Generated<number>;
}

/** How far something has been counted: all that happened before that moment, and nothing of it twice. */
export interface CountedUntilTable {
  what: 'attempts' | 'issued' | 'withdrawn';
  at: number;
}

export interface StatsTokenTable {
  id: string;
  appId: string;
  /** The SHA-256 of the token. It is too random to be guessed from its hash. */
  hash: string;
  label: string;
  createdAt: number;
  createdBy: string;
  expiresAt: number;
  revokedAt: Generated<number | null>;
  lastUsedAt: Generated<number | null>;
}
