export interface AuditEventTable {
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
export interface AuditHeadTable {
  id: number;
  seq: number;
  hash: string;
}

export interface AuditAnchorTable {
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

/** One row: what a server's pepper is compared by. */
export interface PepperCheckTable {
  id: number;
  value: string;
}
