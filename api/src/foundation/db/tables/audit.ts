import type { Generated } from 'kysely';

export interface AuditTables {
  /** An event that is committed, but not yet in the chain. */
  auditUnsealed: {
    /** Grows with each row. */
    id: Generated<number>;
    at: number;
    kind: string;
    code: string;
    subject: string | null;
    detail: string;
  };

  /** An event in the chain. */
  auditEvent: {
    seq: number;
    at: number;
    kind: string;
    code: string;
    /** The random id of a device's row. Once that row is erased, it identifies no device. */
    subject: string | null;
    /** A flat object as canonical JSON. */
    detail: string;
    prevHash: string;
    hash: string;
  };

  /** A table of one row: the number and the hash of the last event. */
  auditHead: {
    id: number;
    seq: number;
    hash: string;
  };

  auditAnchor: {
    /** The UTC day that the anchor closes, such as 2026-01-31. */
    day: string;
    /** The numbers of the oldest row that the chain still has to have, and of its newest row. */
    firstSeq: number;
    lastSeq: number;
    lastHash: string;
    kid: string;
    /** All of this, signed. */
    jws: string;
  };

  /** A table of one row: the value by which a server checks its pepper. */
  pepperCheck: {
    id: number;
    value: string;
  };

  /** A server that works on this database, as it last reported itself. */
  server: {
    /** Its name in `DATA_DIR/instance`. */
    name: string;
    /** How many sockets of the online count are open there. */
    sockets: number;
    /** When it reported, by the clock of the database. */
    seenAt: number;
  };
}
