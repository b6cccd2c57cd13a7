import { createHash, randomBytes } from 'node:crypto';

/** By this beginning people and secret scanners recognise a deploy token. The log strikes such words out. */
export const TOKEN_PREFIX = 'deploy_';

/** 192 bits. */
const TOKEN_BYTES = 24;

/** Makes a deploy token that nobody can guess. It is shown once; only its hash is stored. */
export function generateDeployToken(): string {
  return TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
}

/** The SHA-256 of a deploy token, in hexadecimal. */
export function hashDeployToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
