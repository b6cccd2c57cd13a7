import { createHash } from 'node:crypto';

/** What an event is about. */
export type AuditKind =
  | 'run'
  | 'attempt'
  | 'key'
  | 'strike'
  | 'device'
  | 'advertiser'
  | 'app'
  | 'signing_key'
  | 'order'
  | 'licence'
  | 'reseller'
  | 'release'
  | 'channel'
  | 'deploy_token'
  | 'webhook'
  | 'stats_token';

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
  /** The random id of the device's row. When that row is erased, the event can no longer be linked to a person. */
  subject: string | null;
  /** A flat object. It never holds a device id, a ticket, a key or an address, nor an HMAC of one. */
  detail?: AuditDetail;
}

export const GENESIS_HASH = '0'.repeat(64);

export type AuditDetail = Readonly<Record<string, string | number | boolean | null>>;

export interface HashedEvent {
  seq: number;
  at: number;
  kind: string;
  code: string;
  subject: string | null;
  detail: AuditDetail;
}

/** Binds an event to the row before it. Older rows have it as hexadecimal digits. */
export function hashEvent(prevHash: string, event: HashedEvent, as: 'hex' | 'base64url' = 'base64url'): string {
  const { seq, at, kind, code, subject, detail } = event;
  return createHash('sha256')
    .update(`${prevHash}\n${canonicalJson({ seq, at, kind, code, subject, detail })}`)
    .digest(as);
}

/** What a row keeps of the hash before it, to tell a changed row from one that follows another. Older rows keep it whole. */
export const shortenHash = (hash: string) => hash.slice(0, 8);

/** Undefined when the text is not the canonical JSON of an object. */
export function parseDetail(text: string): AuditDetail | undefined {
  try {
    const detail = JSON.parse(text) as AuditDetail;
    return text.startsWith('{') && canonicalJson(detail) === text ? detail : undefined;
  } catch {
    return undefined;
  }
}

/** Writes an object as canonical JSON: members sorted by name, no spaces. Equal objects give equal texts. */
export function canonicalJson(value: object): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
