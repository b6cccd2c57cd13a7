import { UNNAMED_BUYER, type Purchase } from '@app/contracts/purchases';
import type { Db, PurchaseRow } from '#api/foundation/db/schema.ts';
import type { Buyer } from '#api/product/payments/checkout.ts';
import { createPurchasesRepository, type PaidOrder } from './purchases.repository.ts';

/** How many purchases the feed has; it repeats from the beginning. */
const FEED_LENGTH = 20;

/** The newest paid orders and redeemed codes, the newest first. Where there are none, the demo if there is one. */
export async function listLatestPurchases(db: Db, openBuyer: OpenBuyer): Promise<Purchase[]> {
  const purchases = createPurchasesRepository(db);
  const orders = await purchases.listNewestOrders(FEED_LENGTH);
  const codes = await purchases.listNewestRedemptions(FEED_LENGTH);
  if (orders.length === 0 && codes.length === 0) return (await purchases.listDemo(FEED_LENGTH)).map(presentDemo);

  return [
    ...orders.map((order) => ({ at: order.paidAt, present: () => presentOrder(order, openBuyer) })),
    ...codes.map((at) => ({ at, present: () => presentCode(at) })),
  ]
    .sort((one, other) => other.at - one.at)
    .slice(0, FEED_LENGTH)
    .map(({ present }) => present());
}

/** Called once, before the first request: makes the demo rows recent again, or removes them. */
export function refreshDemo(db: Db, isWanted: boolean, at: number): Promise<void> {
  const demo = DEMO.map(({ ago, ...purchase }, index) => ({
    id: `demo-${index + 1}`,
    ...purchase,
    boughtAt: at - ago,
  }));
  return createPurchasesRepository(db).replaceDemo(isWanted ? demo : []);
}

/** A word of letters. Buyers type their names, and a name must not advertise. */
const FIRST_NAME = /^\p{L}[\p{L}\p{M}'’-]{0,29}$/u;

/** Two letters. ZZ stands for an unknown country. */
const COUNTRY = /^(?!zz)[a-z]{2}$/i;

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** A paid order: the country, and the first name if the buyer agreed to that. */
function presentOrder({ paidAt, countryCode, showsName, ...order }: PaidOrder, openBuyer: OpenBuyer): Purchase {
  return {
    name: showsName === 1 ? findFirstName(openBuyer(order)) : UNNAMED_BUYER,
    timestamp: toSeconds(paidAt),
    location: findCountry(countryCode),
    country_code: countryCode ?? '',
  };
}

export type OpenBuyer = (order: Pick<PaidOrder, 'id' | 'sealedBuyer'>) => Buyer;

/** A redeemed code, of which neither name nor country is known. */
function presentCode(redeemedAt: number): Purchase {
  return { name: UNNAMED_BUYER, timestamp: toSeconds(redeemedAt), location: '', country_code: '' };
}

function presentDemo({ name, boughtAt, location, countryCode }: PurchaseRow): Purchase {
  return { name, timestamp: toSeconds(boughtAt), location, country_code: countryCode };
}

function findFirstName({ name }: Buyer): string {
  const [first = ''] = (name ?? '').trim().split(/\s+/);
  return FIRST_NAME.test(first) ? first : UNNAMED_BUYER;
}

/** The English name of a country; empty when there is none. */
function findCountry(code: string | null): string {
  return code !== null && COUNTRY.test(code) ? (countries.of(code.toUpperCase()) ?? '') : '';
}

function toSeconds(at: number): number {
  return Math.floor(at / 1000);
}

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;

/** Invented purchases of a site without customers, and how long ago each of them was made. `Demo:` distinguishes them from real customers. */
const DEMO = [
  { name: 'Demo: Lena K.', location: 'Hamburg', countryCode: 'DE', ago: 4 * MINUTE },
  { name: 'Demo: Mateus R.', location: 'Recife', countryCode: 'BR', ago: 38 * MINUTE },
  { name: 'Demo: Minh T.', location: 'Da Nang', countryCode: 'VN', ago: 2 * HOUR },
  { name: 'Demo: Aisha B.', location: 'Surabaya', countryCode: 'ID', ago: 5 * HOUR },
  { name: 'Demo: Tom W.', location: 'Leeds', countryCode: 'GB', ago: 9 * HOUR },
  { name: 'Demo: Camila S.', location: 'Medellín', countryCode: 'CO', ago: 14 * HOUR },
  { name: 'Demo: Jakub N.', location: 'Gdańsk', countryCode: 'PL', ago: 19 * HOUR },
  { name: 'Demo: Ella M.', location: 'Austin', countryCode: 'US', ago: 24 * HOUR },
  { name: 'Demo: Paolo G.', location: 'Bari', countryCode: 'IT', ago: 30 * HOUR },
  // Older than yesterday at every time of the day.
  { name: 'Demo: Sofie H.', location: 'Ghent', countryCode: 'BE', ago: 49 * HOUR },
];
