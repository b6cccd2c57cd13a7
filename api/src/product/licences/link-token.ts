import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** How long a link in a mail works, in milliseconds. */
export const LINK_LIFETIME_MS = 30 * 60 * 1000;

/** Makes the secret of a link in a mail. Only its hash is stored. */
export function makeLinkToken(): { token: string; tokenHash: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, tokenHash: hashLinkToken(token) };
}

export function hashLinkToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** The address of a page with the secret after the `#`, where no server, log or referrer sees it. */
export function linkTo(baseUrl: string, page: string, token: string): string {
  return `${baseUrl}${page}#t=${token}`;
}
