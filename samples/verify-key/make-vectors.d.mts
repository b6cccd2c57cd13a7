import type { KeyCheck, KeyVerdict } from './verify-key.mjs';

interface Vector extends Partial<Omit<KeyCheck, 'key'>> {
  title: string;
  key: string;
  code: KeyVerdict['code'];
}

export const VECTORS: {
  common: Required<Pick<KeyCheck, 'jwks' | 'hwid' | 'audience' | 'now'>>;
  vectors: readonly Vector[];
};
