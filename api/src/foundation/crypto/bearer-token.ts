import { createHash, randomBytes } from 'node:crypto';

/** By its prefix people and secret scanners recognise such a token. The log removes such words. */
export type TokenPrefix = 'deploy_' | 'stats_';

/** 192 bits. */
const TOKEN_BYTES = 24;

const BEARER_PATTERN = /^Bearer +(\S+)$/i;

/** A new token. Its text is shown this once; only its hash is stored. */
export interface CreatedToken {
  id: string;
  token: string;
  expiresAt: number;
}

/** Makes a token, which is too random to be guessed from its hash. */
export function createBearerToken(prefix: TokenPrefix): { id: string; token: string; hash: string } {
  const token = prefix + randomBytes(TOKEN_BYTES).toString('base64url');
  return { id: randomBytes(6).toString('hex'), token, hash: hashOf(token) };
}

export function readBearer(authorization: string | undefined): string | undefined {
  return BEARER_PATTERN.exec(authorization ?? '')?.[1];
}

/** The hash under which a token with this prefix is stored; undefined for any other text. */
export function hashBearerToken(prefix: TokenPrefix, text: string | undefined): string | undefined {
  return text?.startsWith(prefix) ? hashOf(text) : undefined;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
