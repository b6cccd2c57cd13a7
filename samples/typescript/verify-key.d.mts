/** The public keys: the answer of `/.well-known/jwks.json`. Ship them with the app. */
export interface Jwks {
  keys: readonly { kid?: string; kty: string; crv?: string; x?: string }[];
}

export interface KeyCheck {
  /** The key, as the server gave it. */
  key: string;
  /** The device that asks. */
  hwid: string;
  /** The app that asks: `main` (the default), `companion`, or the id of a registered app. */
  app?: string;
  jwks: Jwks;
  /** The device's clock, in seconds since 1970. */
  now: number;
  /**
   * The latest time that the server has signed for this app, in seconds: the `highWater` of keys and verdicts. The `now`
   * of an answer is not signed.
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

/** What to check, and the question that it has to answer. */
export interface VerdictCheck {
  /** The `verdict` of an answer of `POST /api/key/verify`. */
  verdict: string;
  /** The `nonce` of the question: new and random each time. */
  nonce: string;
  key: string;
  hwid: string;
  app?: string;
  jwks: Jwks;
}

export interface CheckedVerdict {
  /** The server's code if the verdict answers this very question, else `UNTRUSTED` or `UNSUPPORTED`. */
  code: string;
  /** In seconds since 1970. */
  issuedAt?: number;
  expiresAt?: number;
  /** A time of the server. Store it when it is later than the one you have. */
  highWater?: number;
}

/** Checks a key on its device, without the server. It never rejects, whatever it is given. */
export function verifyKey(check: KeyCheck): Promise<KeyVerdict>;

/** Checks what the server signed about a key. It never rejects, whatever it is given. */
export function verifyVerdict(check: VerdictCheck): Promise<CheckedVerdict>;
