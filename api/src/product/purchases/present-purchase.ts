import type { Purchase } from '@app/contracts/purchases';
import type { PurchaseRow } from '#api/foundation/db/schema.ts';
import type { Buyer } from '#api/product/payments/order-cipher.ts';
import type { PaidOrder } from './purchases.repository.ts';

/** Who bought, when the name is not to be shown. */
const SOMEONE = 'Someone';

/** A word of letters. Buyers type their names, and a name must not advertise. */
const FIRST_NAME = /^\p{L}[\p{L}\p{M}'’-]{0,29}$/u;

/** Two letters. ZZ stands for an unknown country. */
const COUNTRY = /^(?!zz)[a-z]{2}$/i;

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** A paid order: the country, and the first name if the buyer agreed to that. */
export function presentOrder({ paidAt, countryCode, showsName, ...order }: PaidOrder, openBuyer: OpenBuyer): Purchase {
  return {
    name: showsName === 1 ? findFirstName(openBuyer(order)) : SOMEONE,
    timestamp: toSeconds(paidAt),
    location: findCountry(countryCode),
    country_code: countryCode ?? '',
  };
}

/** Decrypts who paid an order. */
export type OpenBuyer = (order: Pick<PaidOrder, 'id' | 'sealedBuyer'>) => Buyer;

/** A redeemed code, of which neither name nor country is known. */
export function presentCode(redeemedAt: number): Purchase {
  return { name: SOMEONE, timestamp: toSeconds(redeemedAt), location: '', country_code: '' };
}

export function presentDemo({ name, boughtAt, location, countryCode }: PurchaseRow): Purchase {
  return { name, timestamp: toSeconds(boughtAt), location, country_code: countryCode };
}

function findFirstName({ name }: Buyer): string {
  const [first = ''] = (name ?? '').trim().split(/\s+/);
  return FIRST_NAME.test(first) ? first : SOMEONE;
}

/** The English name of a country; empty when there is none. */
function findCountry(code: string | null): string {
  return code !== null && COUNTRY.test(code) ? (countries.of(code.toUpperCase()) ?? '') : '';
}

function toSeconds(at: number): number {
  return Math.floor(at / 1000);
}
