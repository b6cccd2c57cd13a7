import * as v from 'valibot';

/** What a visitor's click may open; no other scheme gets this far. */
const httpsLink = v.pipe(v.string(), v.url(), v.startsWith('https://'));

export const resellerSchema = v.object({
  name: v.string(),
  /** The short id of a drawn mark, such as `mark-1`; never an address. */
  logo: v.string(),
  description: v.string(),
  /** The reseller's community chat. */
  discord: httpsLink,
  buyLink: httpsLink,
  /** An official store, rather than a partner. */
  isArceusX: v.boolean(),
  /** How many users trust the reseller, where that is known. */
  trusted: v.nullish(v.number()),
});
export type Reseller = v.InferOutput<typeof resellerSchema>;

/** Stand in where the real list cannot be had, and fill the list of a development machine. */
export const SAMPLE_RESELLERS = [
  {
    name: 'Sample Official Store',
    logo: 'mark-1',
    description: 'Every plan at its list price, delivered by e-mail within minutes.',
    discord: 'https://chat.official-store.example/invite',
    buyLink: 'https://official-store.example/plans',
    isArceusX: true,
    trusted: 25_000,
  },
  {
    name: 'Sample Key Corner',
    logo: 'mark-2',
    description: 'Plans for every device, with support in English and German.',
    discord: 'https://chat.key-corner.example/invite',
    buyLink: 'https://key-corner.example/plans',
    isArceusX: false,
    trusted: 8000,
  },
  {
    name: 'Sample Plan Market',
    logo: 'mark-3',
    description: 'Takes local ways of payment in South-East Asia and Latin America.',
    discord: 'https://chat.plan-market.example/invite',
    buyLink: 'https://plan-market.example/plans',
    isArceusX: false,
    trusted: 3500,
  },
  {
    name: 'Sample Night Shop',
    logo: 'mark-4',
    description: 'A small partner that answers around the clock.',
    discord: 'https://chat.night-shop.example/invite',
    buyLink: 'https://night-shop.example/plans',
    isArceusX: false,
    trusted: null,
  },
] as const satisfies readonly Reseller[];
