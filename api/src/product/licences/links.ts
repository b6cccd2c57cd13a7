import { createHash, randomBytes } from 'node:crypto';
import { deriveSecret, openText, sealText } from '#api/foundation/crypto/secrets.ts';

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

export type LinkDeviceCipher = ReturnType<typeof createLinkDeviceCipher>;

export function createLinkDeviceCipher(pepper: string) {
  const secret = deriveSecret(pepper, 'device of a link');

  return {
    seal: (requestId: string, hwid: string) => sealText(secret, requestId, hwid),
    open: (requestId: string, sealed: string) => openText(secret, requestId, sealed),
  };
}

const HEAD = 8;
const TAIL = 4;

/** Shortens a device id for people, the same way as the site's pages do. */
export function shortenHwid(hwid: string): string {
  return hwid.length <= HEAD + TAIL + 1 ? hwid : `${hwid.slice(0, HEAD)}…${hwid.slice(-TAIL)}`;
}
