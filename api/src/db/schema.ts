import type { AdvertiserId, AppId, OperatingSystem } from '@app/contracts/key-system';
import type { Generated, Insertable, Kysely, Selectable } from 'kysely';

/** The tables that the code uses today. Times are epoch milliseconds. */
export interface Database {
  app: AppTable;
  advertiser: AdvertiserTable;
  stepLink: StepLinkTable;
  device: DeviceTable;
  run: RunTable;
  stepAttempt: StepAttemptTable;
  strike: StrikeTable;
  accessKey: AccessKeyTable;
  captchaPass: CaptchaPassTable;
  signingKey: SigningKeyTable;
  recentPurchase: RecentPurchaseTable;
  reseller: ResellerTable;
  licence: LicenceTable;
  resetRequest: ResetRequestTable;
  auditEvent: AuditEventTable;
  auditHead: AuditHeadTable;
  auditAnchor: AuditAnchorTable;
  pepperCheck: PepperCheckTable;
}

/** The database, or a transaction on it. */
export type Db = Kysely<Database>;

interface AppTable {
  id: AppId;
  stepsPerSeries: number;
  seriesRequired: number;
  keyTtlMs: number;
}

/** What an advertiser gives as proof: a token to check, a call to our server, or only a secret address. */
export type ProofKind = 'token' | 'postback' | 'secret_url';

interface AdvertiserTable {
  id: AdvertiserId;
  enabled: Generated<number>;
  proof: ProofKind;
  minDwellMs: number;
  failingSince: number | null;
}

interface StepLinkTable {
  appId: AppId;
  advertiserId: AdvertiserId;
  os: OperatingSystem;
  step: number;
  /** The advertiser's link for this step; null where the account's own serves. */
  url: string | null;
}

interface DeviceTable {
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

interface RunTable {
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

interface StepAttemptTable {
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

interface StrikeTable {
  id: string;
  deviceId: string;
  visitorHmac: string | null;
  ipHmac: string | null;
  code: string;
  weight: number;
  at: number;
}

interface AccessKeyTable {
  jti: string;
  appId: AppId;
  deviceId: string;
  runId: string | null;
  kid: string;
  jws: string;
  issuedAt: number;
  expiresAt: number;
  revokedAt: number | null;
  revokeReason: string | null;
}

interface CaptchaPassTable {
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

interface SigningKeyTable {
  kid: string;
  alg: string;
  publicJwk: string;
  status: 'next' | 'active' | 'retired';
  notBefore: number;
  notAfter: number | null;
}

interface RecentPurchaseTable {
  id: string;
  name: string;
  location: string;
  countryCode: string;
  boughtAt: number;
  /** 1 for a row that only demonstrates the feed. */
  isDemo: Generated<number>;
}

interface ResellerTable {
  id: string;
  name: string;
  logo: string;
  description: string;
  discord: string;
  buyLink: string;
  isArceusX: Generated<number>;
  trusted: number | null;
  position: number;
  updatedAt: number;
}

interface LicenceTable {
  id: string;
  emailHmac: string | null;
  createdAt: number;
}

interface ResetRequestTable {
  id: string;
  licenceId: string | null;
  emailHmac: string;
  tokenHash: string | null;
  createdAt: number;
  expiresAt: number;
}

interface AuditEventTable {
  seq: number;
  at: number;
  kind: string;
  code: string;
  /** A device's random id, which says nothing once the device's row is gone. */
  subject: string | null;
  /** A flat object as canonical JSON. */
  detail: string;
  prevHash: string;
  hash: string;
}

/** One row: the number and the hash of the last event. */
interface AuditHeadTable {
  id: number;
  seq: number;
  hash: string;
}

/** One row: what a server's pepper is compared by. */
interface PepperCheckTable {
  id: number;
  value: string;
}

interface AuditAnchorTable {
  /** The UTC day that had ended, as 2026-01-31. */
  day: string;
  /** The chain as it was: its oldest event that had to be there, and its newest. */
  firstSeq: number;
  lastSeq: number;
  lastHash: string;
  kid: string;
  /** The same, signed. */
  jws: string;
}

export type AppRow = Selectable<AppTable>;
export type AdvertiserRow = Selectable<AdvertiserTable>;
export type StepLinkRow = Selectable<StepLinkTable>;
export type DeviceRow = Selectable<DeviceTable>;
export type StrikeRow = Selectable<StrikeTable>;
export type RunRow = Selectable<RunTable>;
export type NewRun = Insertable<RunTable>;
export type AttemptRow = Selectable<StepAttemptTable>;
export type NewAttempt = Insertable<StepAttemptTable>;
export type KeyRow = Selectable<AccessKeyTable>;
export type NewKey = Insertable<AccessKeyTable>;
export type NewCaptchaPass = Insertable<CaptchaPassTable>;
export type SigningKeyRow = Selectable<SigningKeyTable>;
export type PurchaseRow = Selectable<RecentPurchaseTable>;
export type NewPurchase = Insertable<RecentPurchaseTable>;
export type ResellerRow = Selectable<ResellerTable>;
export type NewReseller = Insertable<ResellerTable>;
export type LicenceRow = Selectable<LicenceTable>;
export type NewResetRequest = Insertable<ResetRequestTable>;
export type AuditEventRow = Selectable<AuditEventTable>;
export type AuditHeadRow = Selectable<AuditHeadTable>;
export type AuditAnchorRow = Selectable<AuditAnchorTable>;
