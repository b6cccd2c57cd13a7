import { hkdfSync } from 'node:crypto';

/**
 * Derives a secret for one purpose from the master secret that an operator keeps.
 * @param label names the purpose; each label gives another secret
 * @returns 32 bytes (HKDF with SHA-256)
 */
export function deriveSecret(master: string, label: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', label, 32));
}
