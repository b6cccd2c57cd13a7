import type { Db } from '#api/foundation/db/schema.ts';
import { sealAll } from '#api/foundation/audit/seal-audit.ts';

/** Seals what was recorded, as a server does all the time, so that `auditEvent` has everything. */
export async function sealAudit(db: Db): Promise<Db> {
  await sealAll(db);
  return db;
}

/** The events that were recorded, the oldest first. */
export async function readAudit(db: Db) {
  const rows = await (await sealAudit(db)).selectFrom('auditEvent').selectAll().orderBy('seq').execute();
  return rows.map(({ kind, code, detail }) => ({ kind, code, detail: JSON.parse(detail) as Record<string, unknown> }));
}
