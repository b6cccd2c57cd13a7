import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/**
 * Derives a secret for one purpose from the master secret that an operator keeps.
 * @param label names the purpose; each label gives another secret
 * @returns 32 bytes (HKDF with SHA-256) as a key, which Node 24 uses six times as fast as a buffer
 */
export function deriveSecret(master: string, label: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', master, '', label, 32)));
}
