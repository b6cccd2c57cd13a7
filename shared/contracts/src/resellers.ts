import * as v from 'valibot';

/** A link that a page may open. Only https is allowed. */
const httpsLink = v.pipe(v.string(), v.url(), v.startsWith('https://'));

/** The logos that the site draws. For any other id the page draws the first letter of the name. */
export const RESELLER_LOGOS = ['mark-1', 'mark-2', 'mark-3', 'mark-4'] as const;

export const resellerSchema = v.object({
  name: v.string(),
  /** The id of a logo that the site draws, such as `mark-1`. It is never an address. */
  logo: v.string(),
  description: v.string(),
  discord: httpsLink,
  buyLink: httpsLink,
  /** True for an official store, false for a partner. */
  isArceusX: v.boolean(),
  /** How many users trust the reseller, if it is known. */
  trusted: v.nullish(v.number()),
});
export type Reseller = v.InferOutput<typeof resellerSchema>;

/** Invented resellers. The page shows them when it cannot fetch the list; a development machine starts with them. */
export const SAMPLE_RESELLERS = [
  {
    name: 'Sample Official Store',
    logo: 'mark-1',
    description: 'All plans, official price, in your inbox in minutes.',
    discord: 'https://chat.official-store.example/invite',
    buyLink: 'https://official-store.example/plans',
    isArceusX: true,
    trusted: 900,
  },
  {
    name: 'Sample Key Corner',
    logo: 'mark-2',
    description: 'Every device, with support in English and German.',
    discord: 'https://chat.key-corner.example/invite',
    buyLink: 'https://key-corner.example/plans',
    isArceusX: false,
    trusted: 400,
  },
  {
    name: 'Sample Plan Market',
    logo: 'mark-3',
    description: 'Pay the local way in South-East Asia and Latin America.',
    discord: 'https://chat.plan-market.example/invite',
    buyLink: 'https://plan-market.example/plans',
    isArceusX: false,
    trusted: 150,
  },
  {
    name: 'Sample Night Shop',
    logo: 'mark-4',
    description: 'Small, and up all night to answer you.',
    discord: 'https://chat.night-shop.example/invite',
    buyLink: 'https://night-shop.example/plans',
    isArceusX: false,
    trusted: null,
  },
] as const satisfies readonly Reseller[];
