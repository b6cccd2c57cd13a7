import type { KeyCheck } from '@app/contracts/app-calls';
import type { AppId } from '@app/contracts/key-system';
import type { Db, KeyRow, NewKey } from '#api/foundation/db/schema.ts';
import { blockOf, type DeviceClaim } from '#api/product/devices/device.ts';
import { keySubject, type Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import type { PublicJwk } from '#api/foundation/crypto/public-jwk.ts';
import type { Signer } from '#api/foundation/crypto/signing-key.ts';
import { readKey, signKey, type KeyClaims, type KeyReading } from './key-token.ts';
import { createKeysRepository } from './keys.repository.ts';
import { createSigningKeysRepository } from './signing-keys.repository.ts';
import { signVerdict } from './verdict-token.ts';

interface KeysDeps {
  db: Db;
  signingKey: Signer;
  pseudonyms: Pseudonyms;
  issuer: () => string;
  now: () => number;
}

export interface KeyRequest {
  appId: AppId;
  subject: string;
  /** What the key was earned with: a completed run (`ads`), or a paid plan. */
  source: KeyClaims['src'];
  at: number;
  ttlMs: number;
}

/** A signed key, without the device and the run or licence that it belongs to. */
export type PreparedKey = Omit<NewKey, 'deviceId' | 'runId' | 'licenceId'>;

export interface KeyVerdict {
  code: KeyReading['code'] | 'REVOKED';
  expiresAt: number | null;
}

export type KeysService = ReturnType<typeof createKeysService>;

export function createKeysService({ db, signingKey, pseudonyms, issuer, now }: KeysDeps) {
  const keys = createKeysRepository(db);
  const listPublicKeys = async (): Promise<PublicJwk[]> => {
    const published = await createSigningKeysRepository(db).listPublished(now());
    return published.map(({ publicJwk }) => JSON.parse(publicJwk) as PublicJwk);
  };

  return {
    listPublicKeys,

    /**
     * Signs a key. It stores nothing: the caller stores the key in the transaction that completes the run, or that reads
     * the licence. It is called before that transaction begins, because the signer may keep it waiting.
     * @throws SignerUnavailable when no signature came in time
     */
    async prepare({ appId, subject, source, at, ttlMs }: KeyRequest): Promise<PreparedKey> {
      const jti = randomId();
      const iat = Math.floor(at / 1000);
      const exp = iat + Math.floor(ttlMs / 1000);
      const times = { iat, nbf: iat, exp };
      const claims = { iss: issuer(), aud: appId, sub: subject, jti, ...times, src: source, v: 1 } as const;
      const jws = await signKey(signingKey, claims);

      const { kid } = signingKey;
      return { jti, appId, kid, jws, issuedAt: iat * 1000, expiresAt: exp * 1000, revokedAt: null };
    },

    /** Finds the valid key of a run of a device that is not blocked; for another zone only that there is one (`zone`). */
    async findActive(
      appId: AppId,
      { hwid, zone }: DeviceClaim,
    ): Promise<Pick<KeyRow, 'jti' | 'jws' | 'expiresAt' | 'fetchedAt'> | { reason: 'zone' } | undefined> {
      const working = (await keys.listActive(appId, pseudonyms.hwid(hwid), now())).filter(
        (key) => key.runId !== null && !blockOf(key, now()),
      );
      if (working.length === 0) return undefined;

      const asked = pseudonyms.zone(zone);
      return working.find(({ zoneHmac }) => zoneHmac === '' || zoneHmac === asked) ?? { reason: 'zone' };
    },

    /** Notes that the app of a device has fetched its key. */
    recordFetch: (jti: string): Promise<void> => keys.recordFetch(jti, now()),

    /** A key with our signature that is not stored exactly as it is counts as revoked. */
    async verify(token: string, { app, hwid }: { app: AppId; hwid: string }): Promise<KeyVerdict> {
      const reading = readKey(token, { keys: await listPublicKeys(), app, subject: keySubject(hwid), now: now() });
      if (!('claims' in reading)) return { code: reading.code, expiresAt: null };

      const expiresAt = reading.claims.exp * 1000;
      if (reading.code !== 'VALID') return { code: reading.code, expiresAt };

      const row = await keys.find(reading.claims.jti);
      const isKnown = row?.jws === token && row.revokedAt === null;
      return { code: isKnown ? 'VALID' : 'REVOKED', expiresAt };
    },

    /** @throws SignerUnavailable when no signature came in time */
    signVerdict: (asked: Omit<KeyCheck, 'nonce'> & { nonce: string }, found: KeyVerdict): Promise<string> =>
      signVerdict(signingKey, { ...asked, ...found, at: now() }),
  };
}
