import { RESELLER_LOGOS, resellerSchema, SAMPLE_RESELLERS } from '@app/contracts/resellers';
import * as v from 'valibot';
import type { Db, ResellerRow } from '#api/foundation/db/schema.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { rollBack, transact } from '#api/foundation/audit/transact.ts';
import { createResellersRepository } from './resellers.repository.ts';

const MAX_NAME_LENGTH = 60;
const MAX_TEXT_LENGTH = 300;
const MAX_LINK_LENGTH = 500;

const TRUSTED_MESSAGE = 'must be a whole number from 0, or null';
const line = (longest: number) =>
  v.pipe(
    v.string(),
    v.check(
      (text) => text.trim() === text && text.length > 0 && text.length <= longest && !/\p{Cc}/u.test(text),
      `must be one line of up to ${String(longest)} characters, without spaces at its ends`,
    ),
  );
const link = v.pipe(
  v.string(),
  v.check(
    (text) => text.length <= MAX_LINK_LENGTH && v.is(resellerSchema.entries.buyLink, text),
    'must be an address that begins with https://',
  ),
);

/** A reseller as operators write it. Its place in the list is its place on the page. */
export const listedResellerSchema = v.strictObject({
  id: v.pipe(
    v.string(),
    v.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be up to 64 small letters, digits and hyphens, such as key-corner'),
  ),
  name: line(MAX_NAME_LENGTH),
  /** `letter`: the first letter of the name. */
  logo: v.picklist([...RESELLER_LOGOS, 'letter'], `must be ${RESELLER_LOGOS.join(', ')} or letter`),
  description: line(MAX_TEXT_LENGTH),
  discord: link,
  buyLink: link,
  isArceusX: v.boolean(),
  trusted: v.optional(
    v.nullable(v.pipe(v.number(TRUSTED_MESSAGE), v.safeInteger(TRUSTED_MESSAGE), v.minValue(0, TRUSTED_MESSAGE))),
    null,
  ),
  /** Whether the page leaves the reseller out. */
  isHidden: v.optional(v.boolean(), false),
});

/** Rows may be older than the rules above. */
export type ListedReseller = Omit<v.InferOutput<typeof listedResellerSchema>, 'logo'> & { logo: string };

/** The place of a reseller that the page leaves out. */
const HIDDEN_POSITION = 0;

export function presentReseller(row: ResellerRow): ListedReseller {
  const { id, name, logo, description, discord, buyLink, isArceusX, trusted, position } = row;
  const shown = { id, name, logo, description, discord, buyLink, isArceusX: isArceusX === 1, trusted };
  return { ...shown, isHidden: position === HIDDEN_POSITION };
}

function toRows(list: readonly ListedReseller[], updatedAt: number): ResellerRow[] {
  let last = HIDDEN_POSITION;
  return list.map(({ isHidden, isArceusX, ...reseller }) => ({
    ...reseller,
    isArceusX: isArceusX ? 1 : 0,
    position: isHidden ? HIDDEN_POSITION : ++last,
    updatedAt,
  }));
}

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
    const changes = diffResellers(before, after);
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

function diffResellers(before: readonly ResellerRow[], after: readonly ResellerRow[]): ResellerChanges {
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

function describe(row: ResellerRow): string {
  return JSON.stringify(presentReseller(row));
}

/** Called once, before the first request of a development server. */
export function seedSampleResellers({ db }: { db: Db }, updatedAt: number): Promise<void> {
  return createResellersRepository(db).seed(
    SAMPLE_RESELLERS.map(({ isArceusX, ...sample }, index) => ({
      ...sample,
      id: `sample-${index + 1}`,
      isArceusX: isArceusX ? 1 : 0,
      position: index + 1,
      updatedAt,
    })),
  );
}
