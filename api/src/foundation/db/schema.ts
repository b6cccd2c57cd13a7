import type { Insertable, Kysely, Selectable } from 'kysely';
import type { AuditTables } from './tables/audit.ts';
import type { CheckoutTables } from './tables/checkout.ts';
import type { KeySystemTables } from './tables/key-system.ts';
import type { ReleaseTables } from './tables/releases.ts';
import type { ResellerTables } from './tables/resellers.ts';
import type { StatsTables } from './tables/stats.ts';
import type { WebhookTables } from './tables/webhooks.ts';

/** The tables that the code uses today. Times are epoch milliseconds. */
export interface Database
  extends AuditTables, CheckoutTables, KeySystemTables, ReleaseTables, ResellerTables, StatsTables, WebhookTables {}

type Row<Name extends keyof Database> = Selectable<Database[Name]>;
type New<Name extends keyof Database> = Insertable<Database[Name]>;

/** A connection to the database, or a transaction on one. */
export type Db = Kysely<Database>;

export type { AttemptState, RunState } from './tables/key-system.ts';

export type AppRow = Row<'app'>;
export type AdvertiserRow = Row<'advertiser'>;
export type StepLinkRow = Row<'stepLink'>;
export type DeviceRow = Row<'device'>;
export type StrikeRow = Row<'strike'>;
export type RunRow = Row<'run'>;
export type NewRun = New<'run'>;
export type AttemptRow = Row<'stepAttempt'>;
export type NewAttempt = New<'stepAttempt'>;
export type KeyRow = Row<'accessKey'>;
export type NewKey = New<'accessKey'>;
export type NewCaptchaPass = New<'captchaPass'>;
export type SigningKeyRow = Row<'signingKey'>;
export type PurchaseRow = Row<'recentPurchase'>;
export type NewPurchase = New<'recentPurchase'>;
export type ResellerRow = Row<'reseller'>;
export type NewReseller = New<'reseller'>;
export type OrderRow = Row<'purchaseOrder'>;
export type PaymentRow = Row<'payment'>;
export type NewWebhookEvent = New<'webhookEvent'>;
export type NewOrder = New<'purchaseOrder'>;
/** `emailHmac` is that of the mailbox. */
export type LicenceRow = Omit<Row<'licence'>, 'mailboxHmac'>;
export type NewLicence = New<'licence'>;
export type PeriodRow = Row<'licencePeriod'>;
export type NewPeriod = New<'licencePeriod'>;
export type CodeRow = Row<'licenceCode'>;
export type NewCode = New<'licenceCode'>;
export type ResetRequestRow = Row<'resetRequest'>;
export type MailRow = Row<'mail'>;
export type NewMail = New<'mail'>;
export type NewResetRequest = New<'resetRequest'>;
export type AuditUnsealedRow = Row<'auditUnsealed'>;
export type AuditEventRow = Row<'auditEvent'>;
export type AuditHeadRow = Row<'auditHead'>;
export type AuditAnchorRow = Row<'auditAnchor'>;
export type ReleaseRow = Row<'release'>;
export type NewRelease = New<'release'>;
export type ChannelRow = Row<'channel'>;
export type DeployTokenRow = Row<'deployToken'>;
export type NewDeployToken = New<'deployToken'>;
export type StatsTokenRow = Row<'statsToken'>;
export type NewStatsToken = New<'statsToken'>;
export type WebhookRow = Row<'webhook'>;
export type NewWebhook = New<'webhook'>;
export type WebhookDeliveryRow = Row<'webhookDelivery'>;
export type NewWebhookDelivery = New<'webhookDelivery'>;
export type FieldTimingRow = Row<'fieldTiming'>;
export type TrustedCiRow = Row<'trustedCi'>;
export type NewTrustedCi = New<'trustedCi'>;
export type UsedIdTokenRow = Row<'usedIdToken'>;

/** A database that has these tables belongs to this site, in whichever version. */
export const OUR_TABLES = ['run', 'access_key', 'audit_event', 'kysely_migration'] as const;
