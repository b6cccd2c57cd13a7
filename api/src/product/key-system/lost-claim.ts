import { DatabaseQueueFull, DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import type { AttemptRow } from '#api/foundation/db/schema.ts';
import type { KeySystem } from './key-system.ts';

/**
 * Waits for a claim. One whose answer is lost may have been written: it is undone as soon as that is possible, so that
 * the visitor can come back with the same ticket.
 * @param at when it was claimed
 * @returns undefined when the attempt cannot be claimed
 * @throws DatabaseUnavailable when it is not known whether it is claimed
 */
export async function undoIfUnknown(
  { attempts, instance, laterWrites, limits }: KeySystem,
  { id }: Pick<AttemptRow, 'id'>,
  at: number,
  claim: Promise<AttemptRow | undefined>,
): Promise<AttemptRow | undefined> {
  try {
    return await claim;
  } catch (error) {
    if (error instanceof DatabaseUnavailable && !(error instanceof DatabaseQueueFull)) {
      const write = () => attempts.undoClaim(id, instance, at);
      laterWrites.add({ key: `claim ${id} ${at}`, attemptId: id, write, until: at + limits.checkingMs, reason: error });
    }
    throw error;
  }
}
