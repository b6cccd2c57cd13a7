import { createHash } from 'node:crypto';

/** The previous hash of the first row. */
export const GENESIS_HASH = '0'.repeat(64);

/** Details of an event: a flat object. */
export type AuditDetail = Readonly<Record<string, string | number | boolean | null>>;

export interface HashedEvent {
  seq: number;
  at: number;
  kind: string;
  code: string;
  subject: string | null;
  detail: AuditDetail;
}

/**
 * Hashes an event together with the hash of the row before it (SHA-256, hexadecimal, so that `sha256sum` can check it
 * by hand).
 */
export function hashEvent(prevHash: string, { seq, at, kind, code, subject, detail }: HashedEvent): string {
  return createHash('sha256')
    .update(`${prevHash}\n${canonicalJson({ seq, at, kind, code, subject, detail })}`)
    .digest('hex');
}

/** Reads the details of an event. Undefined when the text is not the canonical JSON of an object. */
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
