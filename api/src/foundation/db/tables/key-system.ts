import type { AdvertiserId } from '@app/contracts/advertisers';
import type { AppId, OperatingSystem } from '@app/contracts/key-system';
import type { Generated } from 'kysely';

/** What an advertiser gives as proof: a token to check, a call to our server, or only a secret address. */
export type ProofKind = 'token' | 'postback' | 'secret_url';

export type RunState = 'open' | 'completed' | 'expired' | 'cancelled' | 'blocked';

export type AttemptState =
  'issued' | 'checking' | 'awaiting_postback' | 'verified' | 'rejected' | 'superseded' | 'expired';

export interface KeySystemTables {
  app: {
    id: AppId;
    stepsPerSeries: number;
    seriesRequired: number;
    keyTtlMs: number;
    /** How long a run usually takes; null while too few have been completed. The sweeper measures it. */
    usualRunMs: number | null;
    /** What an operator registered; null for the apps of the specification, of which the code says it. */
    name: string | null;
    /** The address that opens the app; null for that of the site. */
    scheme: string | null;
    colour: string | null;
    /** Of the app's author, for operators. */
    contact: string | null;
    /** The ids of those that each step offers, the default first, with commas between them. */
    advertisers: string | null;
  };

  advertiser: {
    id: AdvertiserId;
    enabled: Generated<number>;
    proof: ProofKind;
    minDwellMs: number;
    failingSince: number | null;
    /** How long a visit usually takes, and how many of 100 who left today finished it; null while too few are known. */
    usualMs: Generated<number | null>;
    finishedPercent: Generated<number | null>;
  };

  stepLink: {
    appId: AppId;
    advertiserId: AdvertiserId;
    os: OperatingSystem;
    step: number;
    /** The link in the advertiser's panel for this step; null where the link of the account is used. */
    url: string | null;
  };

  device: {
    id: string;
    appId: AppId;
    hwidHmac: string;
    firstSeen: number;
    lastSeen: number;
    /** An operator's block. `product/devices/block.ts` says what the two columns mean together. */
    blockedUntil: number | null;
    blockReason: string | null;
  };

  run: {
    id: string;
    appId: AppId;
    deviceId: string;
    zoneHmac: string;
    /** What the key of this run will be bound to, encrypted with a secret that is not in the database. */
    sealedSubject: string;
    /**
     * The zone, encrypted in the same way, for pages of the browser that began the run. Null in runs that are older than
     * this column.
     */
    sealedZone: string | null;
    os: OperatingSystem;
    stepsRequired: number;
    /** The HMAC of the browser that began the run. */
    visitorHmac: string | null;
    ipHmac: string | null;
    step: Generated<number>;
    state: Generated<RunState>;
    createdAt: number;
    updatedAt: number;
    expiresAt: number;
    completedAt: number | null;
  };

  stepAttempt: {
    id: string;
    runId: string;
    step: number;
    advertiserId: AdvertiserId;
    tokenHash: string;
    /** The device id and the zone as the visitor gave them, encrypted with a key derived from the ticket. */
    sealedContext: string;
    state: Generated<AttemptState>;
    issuedAt: number;
    notBefore: number;
    expiresAt: number;
    returnedAt: number | null;
    /** The name of the server that last claimed the attempt to check its proof. */
    claimedBy: string | null;
    postbackAt: number | null;
    verifiedAt: number | null;
    /** When the advertiser confirmed a proof that came too early to count yet. */
    proofAt: number | null;
    /** What names the proof at the advertiser, so that it counts once. */
    providerRef: string | null;
    reason: string | null;
    visitorHmac: string | null;
    ipHmac: string | null;
  };

  strike: {
    id: string;
    deviceId: string;
    visitorHmac: string | null;
    ipHmac: string | null;
    code: string;
    weight: number;
    at: number;
  };

  captchaPass: {
    id: string;
    provider: string;
    tokenHash: string;
    hwidHmac: string;
    os: OperatingSystem;
    advertiser: string | null;
    passedAt: number;
    expiresAt: number;
    consumedAt: number | null;
    /** The HMAC of the browser that solved the captcha; null for a browser without our cookie. */
    visitorHmac: string | null;
    ipHmac: string | null;
  };

  accessKey: {
    jti: string;
    appId: AppId;
    deviceId: string;
    runId: string | null;
    /** The licence of a key that a paid plan gives. */
    licenceId: Generated<string | null>;
    kid: string;
    jws: string;
    issuedAt: number;
    expiresAt: number;
    revokedAt: number | null;
    revokeReason: string | null;
    /** When the app of its device first fetched it; null until it has. Of keys that runs gave. */
    fetchedAt: Generated<number | null>;
  };

  signingKey: {
    kid: string;
    alg: string;
    publicJwk: string;
    status: 'next' | 'active' | 'retired';
    notBefore: number;
    notAfter: number | null;
  };
}
