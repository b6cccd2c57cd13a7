import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../world/database.ts';

/** A server seals twice a second; a busy one may need longer. */
const LONGEST_MS = 10_000;

/**
 * Waits until the server has sealed what is on record into the chain of the audit.
 * @throws Error when it does not in time
 */
export async function untilSealed(database: Pick<Database, 'rows'>): Promise<void> {
  const endsAt = Date.now() + LONGEST_MS;
  for (;;) {
    const unsealed = await database.rows<{ id: number }>('select id from audit_unsealed limit 1');
    if (unsealed.length === 0) return;
    if (Date.now() > endsAt) throw new Error('The audit was not sealed in time');
    await wait(50);
  }
}
