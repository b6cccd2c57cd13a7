export interface KeyCheck {
  /** The key, as the server gave it. */
  key: string;
  /** The device that asks. */
  hwid: string;
  /** The app that asks: `main`, where it is not said, or `companion`. */
  app?: string;
  /** What `/.well-known/jwks.json` says, kept in the app or fetched. */
  jwks: { keys: readonly { kid?: string; kty: string; crv?: string; x?: string }[] };
  /** The device's clock, in seconds since 1970. */
  now: number;
  /** The latest server's time that this app has ever seen, in seconds; what an answer says as `now`, or a verdict as `highWater`. */
  highWater?: number;
}

/** What a key says of itself, once its signature is known to be right. Times are seconds since 1970. */
export interface KeyFacts {
  /** The app that it was made for. */
  app: string;
  issuedAt: number;
  expiresAt: number;
}

export type KeyVerdict =
  | ({ code: 'VALID'; /** To be kept for the next check. */ highWater: number } & KeyFacts)
  | ({ code: 'EXPIRED' | 'NOT_YET' | 'DEVICE_MISMATCH' | 'APP_MISMATCH' | 'CLOCK_BACK' } & KeyFacts)
  | { code: 'SIGNATURE' | 'UNKNOWN_KID' | 'UNSUPPORTED' };

/**
 * Checks a key on the device that it is for, without asking the server.
 * It never rejects for what a key says, whoever wrote it; it does for a JWKS that is none.
 */
export function verifyKey(check: KeyCheck): Promise<KeyVerdict>;
