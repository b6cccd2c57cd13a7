import type { Generated } from 'kysely';

export interface StatsTables {
  /** What became of the attempts of one UTC day: that on which visitors left for the advertiser. */
  attemptCount: {
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
  };

  /** Keys by the UTC day on which they were issued or withdrawn. */
  keyCount: {
    appId: string;
    day: string;
    issued: Generated<number>;
    withdrawn: Generated<number>;
  };

  /** How far something has been counted: all that happened before that moment, and nothing of it twice. */
  countedUntil: {
    what: 'attempts' | 'issued' | 'withdrawn';
    at: number;
  };

  /** In how many minutes of a UTC day a server was up. The first and the last one, of the day, from 0. */
  uptimeDay: {
    day: string;
    firstMinute: number;
    lastMinute: number;
    minutes: number;
  };

  statsToken: TokenColumns & { appId: string };
}

/** A token of a bearer. */
export interface TokenColumns {
  id: string;
  /** The SHA-256 of the token. It is too random to be guessed from its hash. */
  hash: string;
  label: string;
  createdAt: number;
  createdBy: string;
  expiresAt: number;
  revokedAt: Generated<number | null>;
  lastUsedAt: Generated<number | null>;
}
