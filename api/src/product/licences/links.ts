import { createHash, randomBytes } from 'node:crypto';
import { deriveSecret, openText, sealText } from '#api/foundation/crypto/secrets.ts';

const TOKEN_BYTES = 32;

/** How long a link in a mail works. */
const LINK_TTL_MS = 30 * 60 * 1000;

/** Makes a link to a page, with a secret after the `#`, where no server, log or referrer sees it. Only its hash is stored. */
export function makeLink(baseUrl: string, page: string, at: number) {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const stored = { tokenHash: hashLinkToken(token), createdAt: at, expiresAt: at + LINK_TTL_MS };
  return { link: `${baseUrl}${page}#t=${token}`, stored };
}

export function hashLinkToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

export type LinkDeviceCipher = ReturnType<typeof createLinkDeviceCipher>;

export function createLinkDeviceCipher(pepper: string) {
  const secret = deriveSecret(pepper, 'device of a link');

  return {
    seal: (requestId: string, hwid: string) => sealText(secret, requestId, hwid),
    open: (requestId: string, sealed: string) => openText(secret, requestId, sealed),
  };
}

const PREFIX_LENGTH = 8;
const SUFFIX_LENGTH = 4;

/** Shortens a device id for people, the same way as the site's pages do. */
export function shortenHwid(hwid: string): string {
  return hwid.length <= PREFIX_LENGTH + SUFFIX_LENGTH + 1
    ? hwid
    : `${hwid.slice(0, PREFIX_LENGTH)}…${hwid.slice(-SUFFIX_LENGTH)}`;
}
