import { pbkdf2Sync } from 'node:crypto';

const MOST_ROUNDS = 100_000;

/** What the server asks for, as far as solving it goes; the rest is handed back as it came. */
export interface Challenge {
  parameters: {
    nonce: string;
    salt: string;
    cost: number;
    keyLength: number;
    keyPrefix: string;
    expiresAt: number;
    data?: Record<string, unknown>;
  };
  signature?: string;
}

export interface Solution {
  counter: number;
  derivedKey: string;
}

/** Works a challenge out as the widget would, only on this thread and therefore faster. */
export function solve({ parameters }: Challenge): Solution {
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
export function tokenOf(challenge: Challenge, solution: Solution): string {
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}
