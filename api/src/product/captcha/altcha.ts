import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import * as v from 'valibot';
import { deriveSecret } from '#api/foundation/crypto/secrets.ts';
import type { CaptchaProvider } from './captcha.service.ts';

const CHALLENGE_TTL_MS = 5 * 60 * 1000;
const DEFAULT_COST = 1000;
const MIN_ROUNDS = 500;
const MAX_ROUNDS = 1500;

/** The captcha that needs no other service: the visitor's device has to compute for a while (proof of work). */
export function createAltcha({
  pepper,
  now,
  cost = DEFAULT_COST,
  rounds,
}: {
  pepper: string;
  now: () => number;
  cost?: number | undefined;
  rounds?: number | undefined;
}): CaptchaProvider {
  const secrets = {
    hmacSignatureSecret: deriveSecret(pepper, 'captcha challenge').export().toString('hex'),
    hmacKeySignatureSecret: deriveSecret(pepper, 'captcha solution').export().toString('hex'),
  };

  return {
    id: 'altcha',

    challenge({ hwidHmac, os }, costFactor) {
      return createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: cost * costFactor,
        counter: rounds ?? randomInt(MAX_ROUNDS, MIN_ROUNDS),
        expiresAt: new Date(now() + CHALLENGE_TTL_MS),
        data: { hwidH: hwidHmac, os },
        deriveKey,
        ...secrets,
      });
    },

    /** Gives the nonce of a solved challenge, which identifies it. */
    async verify(token, { hwidHmac, os }) {
      const payload = readPayload(token);
      if (!payload) return undefined;

      const { nonce, expiresAt, data } = payload.challenge.parameters;
      if (expiresAt * 1000 <= now() || data.hwidH !== hwidHmac || data.os !== os) return undefined;

      const { verified } = await verifySolution({ ...payload, deriveKey, ...secrets });
      return verified ? nonce : undefined;
    },
  };
}

/** Unknown members are allowed: the challenge is signed as a whole, and the signature covers them. */
const payloadSchema = v.object({
  challenge: v.looseObject({
    parameters: v.looseObject({
      algorithm: v.literal('PBKDF2/SHA-256'),
      nonce: v.string(),
      salt: v.string(),
      cost: v.number(),
      keyLength: v.number(),
      keyPrefix: v.string(),
      expiresAt: v.number(),
      data: v.strictObject({ hwidH: v.string(), os: v.string() }),
    }),
    signature: v.string(),
  }),
  solution: v.object({ counter: v.number(), derivedKey: v.string() }),
});

function readPayload(token: string) {
  try {
    const result = v.safeParse(payloadSchema, JSON.parse(Buffer.from(token, 'base64').toString('utf8')));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}
