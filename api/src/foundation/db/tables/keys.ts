import type { AppId } from '@app/contracts/key-system';
import type { Generated } from 'kysely';

export interface AccessKeyTable {
  jti: string;
  appId: AppId;
  deviceId: string;
  runId: string | null;
  /** The licence of a key that a paid plan gives. */
  licenceId: Generated<string | null>;
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
