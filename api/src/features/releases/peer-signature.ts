import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveSecret } from '#api/crypto/derive-secret.ts';

/** How far the clocks of two servers may differ, and how long a signature lasts; milliseconds. */
const VALID_MS = 5 * 60 * 1000;

const HEADER = /^Peer (\d{1,16})\.([A-Za-z0-9_-]{43})$/;

export type PeerSignature = ReturnType<typeof createPeerSignature>;

/**
 * Signs what one server of a site asks another one for. All of them have the same pepper, and nobody else has it.
 * A signature is for one path, so one that somebody has read gives away that file alone.
 * @param now epoch milliseconds
 */
export function createPeerSignature(pepper: string, now: () => number) {
  const key = deriveSecret(pepper, 'peer');
  const hmac = (path: string, at: number) =>
    createHmac('sha256', key)
      .update(`${String(at)} ${path}`)
      .digest();

  return {
    /** Makes the header `Authorization` of a request for this path. */
    sign(path: string): string {
      const at = now();
      return `Peer ${String(at)}.${hmac(path, at).toString('base64url')}`;
    },

    /** Whether a server of this site has signed a request for this path, within five minutes. */
    isSigned(header: string | undefined, path: string): boolean {
      const [, at = '', signature = ''] = HEADER.exec(header ?? '') ?? [];
      if (signature === '' || Math.abs(now() - Number(at)) > VALID_MS) return false;
      return timingSafeEqual(Buffer.from(signature, 'base64url'), hmac(path, Number(at)));
    },
  };
}
