import { RESELLER_LOGOS, resellerSchema } from '@app/contracts/resellers';
import * as v from 'valibot';
import type { ResellerRow } from '#api/foundation/db/schema.ts';

const LONGEST_NAME = 60;
const LONGEST_TEXT = 300;
const LONGEST_LINK = 500;

const WHOLE = 'must be a whole number from 0, or null';
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
    (text) => text.length <= LONGEST_LINK && v.is(resellerSchema.entries.buyLink, text),
    'must be an address that begins with https://',
  ),
);

/** A reseller as operators write it. Its place in the list is its place on the page. */
export const listedResellerSchema = v.strictObject({
  id: v.pipe(
    v.string(),
    v.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be up to 64 small letters, digits and hyphens, such as key-corner'),
  ),
  name: line(LONGEST_NAME),
  /** `letter`: the first letter of the name. */
  logo: v.picklist([...RESELLER_LOGOS, 'letter'], `must be ${RESELLER_LOGOS.join(', ')} or letter`),
  description: line(LONGEST_TEXT),
  discord: link,
  buyLink: link,
  isArceusX: v.boolean(),
  trusted: v.optional(v.nullable(v.pipe(v.number(WHOLE), v.safeInteger(WHOLE), v.minValue(0, WHOLE))), null),
  /** Whether the page leaves the reseller out. */
  isHidden: v.optional(v.boolean(), false),
});

/** Rows may be older than the rules above. */
export type ListedReseller = Omit<v.InferOutput<typeof listedResellerSchema>, 'logo'> & { logo: string };

/** The place of a reseller that the page leaves out. */
const HIDDEN = 0;

export function presentReseller(row: ResellerRow): ListedReseller {
  const { id, name, logo, description, discord, buyLink, isArceusX, trusted, position } = row;
  return {
    id,
    name,
    logo,
    description,
    discord,
    buyLink,
    isArceusX: isArceusX === 1,
    trusted,
    isHidden: position === HIDDEN,
  };
}

/** The rows of a list, in its order. */
export function toRows(list: readonly ListedReseller[], updatedAt: number): ResellerRow[] {
  let last = HIDDEN;
  return list.map(({ isHidden, isArceusX, ...reseller }) => ({
    ...reseller,
    isArceusX: isArceusX ? 1 : 0,
    position: isHidden ? HIDDEN : ++last,
    updatedAt,
  }));
}
