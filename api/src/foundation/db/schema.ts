import type { Insertable, Kysely, Selectable } from 'kysely';
import type {
  AccessKeyTable,
  AdvertiserTable,
  AppTable,
  CaptchaPassTable,
  DeviceTable,
  RunTable,
  SigningKeyTable,
  StepAttemptTable,
  StepLinkTable,
  StrikeTable,
} from '#api/foundation/db/tables/key-system.ts';
import type {
  AuditAnchorTable,
  AuditEventTable,
  AuditHeadTable,
  AuditUnsealedTable,
  PepperCheckTable,
  ServerTable,
} from '#api/foundation/db/tables/audit.ts';
import type {
  LicenceCodeTable,
  LicenceDeviceTable,
  LicencePeriodTable,
  LicenceTable,
  MailTable,
  PaymentTable,
  PurchaseOrderTable,
  RecentPurchaseTable,
  ResellerTable,
  ResetRequestTable,
  WebhookEventTable,
} from '#api/foundation/db/tables/checkout.ts';
import type {
  ChannelTable,
  DeployTokenTable,
  FieldTimingTable,
  LoadReportTable,
  RegistryStateTable,
  ReleasePieceTable,
  ReleaseTable,
  TrustedCiTable,
  UnitTable,
  UsedIdTokenTable,
} from '#api/foundation/db/tables/releases.ts';
import type {
  AttemptCountTable,
  CountedUntilTable,
  KeyCountTable,
  StatsTokenTable,
} from '#api/foundation/db/tables/stats.ts';
import type { WebhookDeliveryTable, WebhookTable } from '#api/foundation/db/tables/webhooks.ts';

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
  purchaseOrder: PurchaseOrderTable;
  payment: PaymentTable;
  webhookEvent: WebhookEventTable;
  licence: LicenceTable;
  licencePeriod: LicencePeriodTable;
  licenceDevice: LicenceDeviceTable;
  licenceCode: LicenceCodeTable;
  resetRequest: ResetRequestTable;
  mail: MailTable;
  auditUnsealed: AuditUnsealedTable;
  auditEvent: AuditEventTable;
  auditHead: AuditHeadTable;
  auditAnchor: AuditAnchorTable;
  pepperCheck: PepperCheckTable;
  unit: UnitTable;
  release: ReleaseTable;
  releasePiece: ReleasePieceTable;
  channel: ChannelTable;
  deployToken: DeployTokenTable;
  trustedCi: TrustedCiTable;
  usedIdToken: UsedIdTokenTable;
  loadReport: LoadReportTable;
  fieldTiming: FieldTimingTable;
  registryState: RegistryStateTable;
  server: ServerTable;
  attemptCount: AttemptCountTable;
  keyCount: KeyCountTable;
  countedUntil: CountedUntilTable;
  statsToken: StatsTokenTable;
  webhook: WebhookTable;
  webhookDelivery: WebhookDeliveryTable;
}

/** A connection to the database, or a transaction on one. */
export type Db = Kysely<Database>;

export type { AttemptState, RunState } from './tables/key-system.ts';

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
export type OrderRow = Selectable<PurchaseOrderTable>;
export type PaymentRow = Selectable<PaymentTable>;
export type NewWebhookEvent = Insertable<WebhookEventTable>;
export type NewOrder = Insertable<PurchaseOrderTable>;
/** `emailHmac` is that of the mailbox. */
export type LicenceRow = Omit<Selectable<LicenceTable>, 'mailboxHmac'>;
export type NewLicence = Insertable<LicenceTable>;
export type PeriodRow = Selectable<LicencePeriodTable>;
export type NewPeriod = Insertable<LicencePeriodTable>;
export type CodeRow = Selectable<LicenceCodeTable>;
export type NewCode = Insertable<LicenceCodeTable>;
export type ResetRequestRow = Selectable<ResetRequestTable>;
export type MailRow = Selectable<MailTable>;
export type NewMail = Insertable<MailTable>;
export type NewResetRequest = Insertable<ResetRequestTable>;
export type AuditUnsealedRow = Selectable<AuditUnsealedTable>;
export type AuditEventRow = Selectable<AuditEventTable>;
export type AuditHeadRow = Selectable<AuditHeadTable>;
export type AuditAnchorRow = Selectable<AuditAnchorTable>;
export type ReleaseRow = Selectable<ReleaseTable>;
export type NewRelease = Insertable<ReleaseTable>;
export type ChannelRow = Selectable<ChannelTable>;
export type DeployTokenRow = Selectable<DeployTokenTable>;
export type NewDeployToken = Insertable<DeployTokenTable>;
export type StatsTokenRow = Selectable<StatsTokenTable>;
export type NewStatsToken = Insertable<StatsTokenTable>;
export type WebhookRow = Selectable<WebhookTable>;
export type NewWebhook = Insertable<WebhookTable>;
export type WebhookDeliveryRow = Selectable<WebhookDeliveryTable>;
export type NewWebhookDelivery = Insertable<WebhookDeliveryTable>;
export type FieldTimingRow = Selectable<FieldTimingTable>;
export type TrustedCiRow = Selectable<TrustedCiTable>;
export type NewTrustedCi = Insertable<TrustedCiTable>;
export type UsedIdTokenRow = Selectable<UsedIdTokenTable>;

/** A database that has these tables belongs to this site, in whichever version. */
export const OUR_TABLES = ['run', 'access_key', 'audit_event', 'kysely_migration'] as const;
