import type { Db } from '#api/foundation/db/schema.ts';
import type { Unit } from '@app/contracts/release';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { rollBack } from '#api/foundation/audit/transact.ts';
import { transactMove } from './transact-move.ts';

/** A path, or a beginning of paths with `*` for what follows. */
const PATTERN = /^\/[A-Za-z0-9/_-]*\*?$/;

/**
 * Adds a unit, which can then publish.
 * @param paths the patterns of the paths that it may claim
 * @returns why it was not added, a sentence each; empty when it was
 */
export function addUnit({ db }: { db: Db }, unit: Unit, paths: readonly string[], { by, at }: Act): Promise<string[]> {
  const problems = paths
    .filter((path) => !PATTERN.test(path))
    .map((path) => `${path} is no path such as /shop, nor a beginning of paths such as /shop/*`);
  if (problems.length > 0) return Promise.resolve(problems);

  return transactMove(db, async (tx) => {
    const units = await tx.channels.list();
    const taken = paths.flatMap((path) =>
      units.filter((other) => other.paths.includes(path)).map((other) => `${path} belongs to ${other.unit}`),
    );
    if (units.some((other) => other.unit === unit)) taken.push(`There is a unit ${unit} already`);
    if (taken.length > 0) return rollBack<string[]>(taken);

    await tx.channels.addUnit(unit, paths, at);
    tx.record({
      at,
      kind: 'release',
      code: 'unit added',
      subject: null,
      detail: { unit, paths: paths.join(' '), by },
    });
    return [];
  });
}
