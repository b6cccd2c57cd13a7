import { parse, nullable, object, string } from 'valibot';
import { deriveSecret, openText, sealText } from '#api/foundation/crypto/secrets.ts';
import type { OrderRow } from '#api/foundation/db/schema.ts';
import type { DeviceClaim } from '#api/product/devices/device-claim.ts';

const claimSchema = object({ hwid: string(), zone: string() });
const buyerSchema = object({ email: nullable(string()), name: nullable(string()) });

/** Who paid an order, as the provider says. */
export interface Buyer {
  email: string | null;
  name: string | null;
}

export type OrderCipher = ReturnType<typeof createOrderCipher>;

/** Encrypts what an order stores of its buyer: the device of the address, and the e-mail address with the name. */
export function createOrderCipher(pepper: string) {
  const claims = deriveSecret(pepper, 'device of the order');
  const buyers = deriveSecret(pepper, 'buyer of the order');

  return {
    sealClaim: (orderId: string, { hwid, zone }: DeviceClaim) =>
      sealText(claims, orderId, JSON.stringify({ hwid, zone })),
    openClaim({ id, sealedClaim }: Pick<OrderRow, 'id' | 'sealedClaim'>): DeviceClaim | undefined {
      return sealedClaim === null ? undefined : parse(claimSchema, JSON.parse(openText(claims, id, sealedClaim)));
    },

    sealBuyer: (orderId: string, { email, name }: Buyer) => sealText(buyers, orderId, JSON.stringify({ email, name })),
    openBuyer({ id, sealedBuyer }: Pick<OrderRow, 'id' | 'sealedBuyer'>): Buyer {
      return sealedBuyer === null
        ? { email: null, name: null }
        : parse(buyerSchema, JSON.parse(openText(buyers, id, sealedBuyer)));
    },
  };
}
