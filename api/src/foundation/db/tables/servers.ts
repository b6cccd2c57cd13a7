/** A server that works on this database: what it said last of itself. */
export interface ServerTable {
  /** Its name in `DATA_DIR/instance`. */
  name: string;
  /** How many sockets of the online count are open there. */
  sockets: number;
  /** When it said so, by the clock of the database. */
  seenAt: number;
}
