import { createHash } from 'node:crypto';

/** What the first row of the chain follows. */
export const GENESIS_HASH = '0'.repeat(64);

/** The few things an audit row may say beside its kind and code. */
export type AuditDetail = Readonly<Record<string, string | number | boolean | null>>;

export interface HashedEvent {
  seq: number;
  at: number;
  kind: string;
  code: string;
  subject: string | null;
  detail: AuditDetail;
}

/** Binds an event to everything before it. Hexadecimal, so that `sha256sum` can check it by hand. */
export function hashEvent(prevHash: string, { seq, at, kind, code, subject, detail }: HashedEvent): string {
  return createHash('sha256')
    .update(`${prevHash}\n${canonicalJson({ seq, at, kind, code, subject, detail })}`)
    .digest('hex');
}

/** One spelling for one object: members in the order of their names, no spaces. */
export function canonicalJson(value: object): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
