import type { AuditDetail } from './audit-hash.ts';

/** What an event is about. */
export type AuditKind =
  'run' | 'attempt' | 'key' | 'strike' | 'device' | 'advertiser' | 'signing_key' | 'order' | 'licence';

/** Who did something, and when (epoch milliseconds). */
export interface Act {
  by: string;
  at: number;
}

export interface AuditEntry {
  /** Epoch milliseconds. */
  at: number;
  kind: AuditKind;
  /** What happened to it, as a past participle (`issued`), or the error's code (`KS_PROOF`). */
  code: string;
  /** The random id of the device it happened to: with the device's row goes the link to a person. */
  subject: string | null;
  /** Flat. Never a device id, a ticket, a key or an address, nor an HMAC of one. */
  detail?: AuditDetail;
}
