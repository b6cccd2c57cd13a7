import { hkdfSync } from 'node:crypto';

/** One secret for each purpose, from a single one that an operator has to keep. */
export function deriveSecret(master: string, label: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', label, 32));
}
