import type { Db, ResellerRow } from '#api/foundation/db/schema.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { transact, rollBack } from '#api/foundation/audit/transact.ts';
import { presentReseller, toRows, type ListedReseller } from './listed-reseller.ts';
import { createResellersRepository } from './resellers.repository.ts';

/** The ids of resellers, by what happened to them. A moved one has only another place. */
export interface ResellerChanges {
  added: string[];
  changed: string[];
  moved: string[];
  removed: string[];
}

export type ResellersResult = { kind: 'changed'; changes: ResellerChanges } | { kind: 'have codes'; ids: string[] };

/**
 * Changes the list of resellers, completely or not at all. A reseller with codes cannot be removed, because the books
 * name it; it can be hidden.
 * @param change makes the new list of the present one, whose hidden resellers come last; what it throws is passed on
 * @param isDryRun only says what would change
 */
export function changeResellers(
  { db }: { db: Db },
  change: (list: ListedReseller[]) => ListedReseller[],
  { by, at }: Act,
  isDryRun = false,
): Promise<ResellersResult> {
  return transact(db, { resellers: createResellersRepository }, async ({ resellers, record }) => {
    const before = await resellers.listAll();
    const after = toRows(change(before.map(presentReseller)), at);
    const changes = compare(before, after);
    const withCodes = await resellers.findWithCodes(changes.removed);
    if (withCodes.length > 0) return rollBack<ResellersResult>({ kind: 'have codes', ids: withCodes });

    const stored = new Set([...changes.added, ...changes.changed, ...changes.moved]);
    for (const id of changes.removed) await resellers.remove(id);
    for (const row of after) if (stored.has(row.id)) await resellers.save(row);
    for (const code of ['added', 'changed', 'moved', 'removed'] as const)
      for (const id of changes[code])
        record({ at, kind: 'reseller', code, subject: null, detail: { reseller: id, by } });

    const result = { kind: 'changed', changes } as const;
    return isDryRun ? rollBack<ResellersResult>(result) : result;
  });
}

function compare(before: readonly ResellerRow[], after: readonly ResellerRow[]): ResellerChanges {
  const former = new Map(before.map((row) => [row.id, row]));
  const kept = after.flatMap((row) => {
    const old = former.get(row.id);
    return old ? [{ old, row }] : [];
  });
  const changed = kept.filter(({ old, row }) => describe(old) !== describe(row));
  const moved = kept.filter((pair) => !changed.includes(pair) && pair.old.position !== pair.row.position);

  return {
    added: after.filter(({ id }) => !former.has(id)).map(({ id }) => id),
    changed: changed.map(({ row }) => row.id),
    moved: moved.map(({ row }) => row.id),
    removed: before.filter(({ id }) => !after.some((row) => row.id === id)).map(({ id }) => id),
  };
}

/** What visitors see of a reseller, but for its place. */
function describe(row: ResellerRow): string {
  return JSON.stringify(presentReseller(row));
}
