/** The numbers and private keys of Ed25519 (RFC 8032) that odd signatures are made of. */
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';

/** Numbers of Ed25519: what coordinates and scalars are counted by. */
export const P = 2n ** 255n - 19n;
export const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
/** Two of the points of order 8, as numbers: one of them with the sign. */
export const ORDER_8 = [
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0xfa03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
];

/** @param {Buffer[]} parts */
export function sha512(...parts) {
  return numberOf(createHash('sha512').update(Buffer.concat(parts)).digest());
}

/** @param {Buffer} bytes the lowest first */
export function numberOf(bytes) {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

/** @param {bigint} number */
export function bytesOf(number) {
  return Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse();
}

/**
 * Makes an Ed25519 private key from 32 bytes, with the prefix of its PKCS #8 form.
 * @param {string} hex
 */
export function privateKeyOf(hex) {
  return createPrivateKey({
    key: Buffer.from(`302e020100300506032b657004220420${hex}`, 'hex'),
    format: 'der',
    type: 'pkcs8',
  });
}

/** @param {import('node:crypto').KeyObject} privateKey */
export function publicJwkOf(privateKey) {
  const { crv = '', x = '', kty = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  // In this order, which differs from one Node to the next.
  return { crv, x, kty };
}
