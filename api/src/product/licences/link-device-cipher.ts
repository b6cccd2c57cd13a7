import { deriveSecret, openText, sealText } from '#api/foundation/crypto/secrets.ts';

export type LinkDeviceCipher = ReturnType<typeof createLinkDeviceCipher>;

/** Encrypts the device id that a link in a mail is about. */
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
