import { pbkdf2Sync } from 'node:crypto';

const MOST_ROUNDS = 100_000;

/** Works a challenge out as the widget would, only on this thread and therefore faster. */
export function solve({ parameters }) {
  const { nonce, salt, cost, keyLength, keyPrefix } = parameters;
  const saltBytes = Buffer.from(salt, 'hex');
  const prefix = Buffer.from(keyPrefix, 'hex');
  const password = Buffer.concat([Buffer.from(nonce, 'hex'), Buffer.alloc(4)]);

  for (let counter = 0; counter < MOST_ROUNDS; counter++) {
    password.writeUInt32BE(counter, password.length - 4);
    const derivedKey = pbkdf2Sync(password, saltBytes, cost, keyLength, 'sha256');
    if (derivedKey.subarray(0, prefix.length).equals(prefix))
      return { counter, derivedKey: derivedKey.toString('hex') };
  }
  throw new Error('The challenge has no solution');
}

/** What the widget hands over. */
export function tokenOf(challenge, solution) {
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}
