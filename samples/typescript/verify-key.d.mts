export interface KeyCheck {
  /** The key, as the server gave it. */
  key: string;
  /** The device that asks. */
  hwid: string;
  /** The app that asks: `main` (the default) or `companion`. */
  app?: string;
  /** The answer of `/.well-known/jwks.json`, stored in the app or fetched. */
  jwks: { keys: readonly { kid?: string; kty: string; crv?: string; x?: string }[] };
  /** The device's clock, in seconds since 1970. */
  now: number;
  /**
   * The latest time of the server that this app has seen, in seconds. Answers of the server tell it as `now`, verdicts
   * as `highWater`.
   */
  highWater?: number;
}

/** The content of a key with a right signature. Times are in seconds since 1970. */
export interface KeyFacts {
  /** The app that the key is for. */
  app: string;
  issuedAt: number;
  expiresAt: number;
}

export type KeyVerdict =
  | ({ code: 'VALID'; /** Store it for the next check. */ highWater: number } & KeyFacts)
  | ({ code: 'EXPIRED' | 'NOT_YET' | 'DEVICE_MISMATCH' | 'APP_MISMATCH' | 'CLOCK_BACK' } & KeyFacts)
  | { code: 'SIGNATURE' | 'UNKNOWN_KID' | 'UNSUPPORTED' };

/**
 * Checks a key on its device, without the server. It never rejects because of the key, whatever the key contains. It
 * rejects when the JWKS is malformed.
 */
export function verifyKey(check: KeyCheck): Promise<KeyVerdict>;
