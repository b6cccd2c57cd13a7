import { pbkdf2Sync } from 'node:crypto';

const MOST_ROUNDS = 100_000;

/**
 * A challenge of the server: the parts that are needed to solve it. The token contains the whole challenge unchanged.
 */
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

/**
 * Solves a challenge like the widget does, but on this thread, which is faster.
 * @throws Error when it finds no solution
 */
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

/** The token that the widget would send to the server. */
export function tokenOf(challenge: Challenge, solution: Solution): string {
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}
