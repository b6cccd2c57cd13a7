import type { AuditDetail } from './audit-hash.ts';

/** What an event is about. */
export type AuditKind =
  | 'run'
  | 'attempt'
  | 'key'
  | 'strike'
  | 'device'
  | 'advertiser'
  | 'signing_key'
  | 'order'
  | 'licence'
  | 'reseller'
  | 'release'
  | 'channel'
  | 'deploy_token';

/** Who did something, and when (epoch milliseconds). */
export interface Act {
  by: string;
  at: number;
}

/** An event for the audit. */
export interface AuditEntry {
  /** Epoch milliseconds. */
  at: number;
  kind: AuditKind;
  /** What happened to it, as a past participle (`issued`), or the error's code (`KS_PROOF`). */
  code: string;
  /** The random id of the device's row. When that row is erased, the event can no longer be linked to a person. */
  subject: string | null;
  /** A flat object. It never holds a device id, a ticket, a key or an address, nor an HMAC of one. */
  detail?: AuditDetail;
}
