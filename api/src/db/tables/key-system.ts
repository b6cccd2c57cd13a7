import type { AdvertiserId, AppId, OperatingSystem } from '@app/contracts/key-system';
import type { Generated } from 'kysely';

export interface AppTable {
  id: AppId;
  stepsPerSeries: number;
  seriesRequired: number;
  keyTtlMs: number;
}

/** What an advertiser gives as proof: a token to check, a call to our server, or only a secret address. */
export type ProofKind = 'token' | 'postback' | 'secret_url';

export interface AdvertiserTable {
  id: AdvertiserId;
  enabled: Generated<number>;
  proof: ProofKind;
  minDwellMs: number;
  failingSince: number | null;
}

export interface StepLinkTable {
  appId: AppId;
  advertiserId: AdvertiserId;
  os: OperatingSystem;
  step: number;
  /** The advertiser's link for this step; null where the account's own serves. */
  url: string | null;
}

export interface DeviceTable {
  id: string;
  appId: AppId;
  hwidHmac: string;
  firstSeen: number;
  lastSeen: number;
  /** An operator's block; what the two mean together stands in `features/devices/block.ts`. */
  blockedUntil: number | null;
  blockReason: string | null;
}

export type RunState = 'open' | 'completed' | 'expired' | 'cancelled' | 'blocked';

export interface RunTable {
  id: string;
  appId: AppId;
  deviceId: string;
  zoneHmac: string;
  /** What the key of this run will be bound to, sealed with a secret that is not in the database. */
  sealedSubject: string;
  /** The zone itself, sealed alike, for pages of the browser that began the run; null in runs from before it was kept. */
  sealedZone: string | null;
  os: OperatingSystem;
  stepsRequired: number;
  /** The browser that began it, by the name it was given then. */
  visitorHmac: string | null;
  ipHmac: string | null;
  step: Generated<number>;
  state: Generated<RunState>;
  createdAt: number;
  updatedAt: number;
  expiresAt: number;
  completedAt: number | null;
}

export type AttemptState =
  'issued' | 'checking' | 'awaiting_postback' | 'verified' | 'rejected' | 'superseded' | 'expired';

export interface StepAttemptTable {
  id: string;
  runId: string;
  step: number;
  advertiserId: AdvertiserId;
  tokenHash: string;
  /** Device id and zone as the visitor gave them, sealed with the ticket itself. */
  sealedContext: string;
  state: Generated<AttemptState>;
  issuedAt: number;
  notBefore: number;
  expiresAt: number;
  returnedAt: number | null;
  /** The server that claimed it last, to check its proof. */
  claimedBy: string | null;
  postbackAt: number | null;
  verifiedAt: number | null;
  /** When the advertiser confirmed a proof whose time to count had not come yet. */
  proofAt: number | null;
  providerRef: string | null;
  reason: string | null;
  visitorHmac: string | null;
  ipHmac: string | null;
}

export interface StrikeTable {
  id: string;
  deviceId: string;
  visitorHmac: string | null;
  ipHmac: string | null;
  code: string;
  weight: number;
  at: number;
}

export interface CaptchaPassTable {
  id: string;
  provider: string;
  tokenHash: string;
  hwidHmac: string;
  os: OperatingSystem;
  advertiser: string | null;
  passedAt: number;
  expiresAt: number;
  consumedAt: number | null;
  /** Who solved it, as far as that is known; null for a browser that had no name. */
  visitorHmac: string | null;
  ipHmac: string | null;
}
