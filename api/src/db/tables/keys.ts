import type { AppId } from '@app/contracts/key-system';

export interface AccessKeyTable {
  jti: string;
  appId: AppId;
  deviceId: string;
  runId: string | null;
  kid: string;
  jws: string;
  issuedAt: number;
  expiresAt: number;
  revokedAt: number | null;
  revokeReason: string | null;
}

export interface SigningKeyTable {
  kid: string;
  alg: string;
  publicJwk: string;
  status: 'next' | 'active' | 'retired';
  notBefore: number;
  notAfter: number | null;
}
