import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { EnvError, type Env } from '#api/foundation/settings/env.ts';
import { publicJwkSchema, type PublicJwk } from '#api/foundation/crypto/public-jwk.ts';
import { parseJson } from '#api/foundation/settings/read-json.ts';
import { readOrGenerateSecret } from '#api/foundation/crypto/generated-secret-file.ts';
import { codeOf, messageOf } from '#api/foundation/settings/errors.ts';

/** What the audit is verified against. None of it comes from the database. */
export interface TrustedAudit {
  /** The public keys that anchors may be signed with. */
  keys: readonly PublicJwk[];
  /** Anchors that this site has signed. */
  anchors: readonly string[];
  /** When the first key was stored, in epoch milliseconds; undefined when there is none. */
  since: number | undefined;
}

export type AuditTrust = ReturnType<typeof createAuditTrust>;

const keySchema = v.object({
  ...publicJwkSchema.entries,
  since: v.pipe(v.string(), v.isoTimestamp('must be a time such as 2026-01-31T12:00:00.000Z')),
});

export function openAuditTrust({ AUDIT_TRUST_DIR, DATA_DIR }: Pick<Env, 'AUDIT_TRUST_DIR' | 'DATA_DIR'>): AuditTrust {
  return createAuditTrust(AUDIT_TRUST_DIR ?? join(DATA_DIR, 'audit-trust'));
}

/**
 * Stores trusted keys and anchors in a folder, one file for each key and for each day's anchor. So write
 * access to the database is not enough to add a key or to remove an anchor. A stored file is never changed.
 */
export function createAuditTrust(folder: string) {
  const keysFolder = join(folder, 'keys');
  const anchorsFolder = join(folder, 'anchors');

  function readKey(name: string) {
    const path = join(keysFolder, name);
    try {
      return parseJson(keySchema, readFileSync(path, 'utf8'));
    } catch (error) {
      throw new EnvError(`AUDIT_TRUST_DIR: ${path}: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }

  const listKeyFiles = () => listFiles(keysFolder, /\.json$/);
  const readAnchorFile = (name: string) => readFileSync(join(anchorsFolder, name), 'utf8').trim();
  const listAnchorFiles = () => listFiles(anchorsFolder, /^\d{4}-\d{2}-\d{2}\.jws$/).sort();

  return {
    folder,

    /** @throws EnvError when another key is stored under the same `kid` */
    keepKey(jwk: PublicJwk, at: number): void {
      const name = `${jwk.kid}.json`;
      writeOnce(keysFolder, name, `${JSON.stringify({ ...jwk, since: new Date(at).toISOString() })}\n`);
      if (readKey(name).x !== jwk.x)
        throw new EnvError(
          `AUDIT_TRUST_DIR: ${join(keysFolder, name)} is another key than the one that signs under this id`,
        );
    },

    /** Stores the anchor of a day, unless that day has one already. */
    keepAnchor(day: string, jws: string): void {
      writeOnce(anchorsFolder, `${day}.jws`, `${jws}\n`);
    },

    newestAnchor(): string | undefined {
      const newest = listAnchorFiles().at(-1);
      return newest === undefined ? undefined : readAnchorFile(newest);
    },

    listKeys: (): PublicJwk[] => listKeyFiles().map(readKey),

    /** @throws EnvError that names a file that is no key */
    read(): TrustedAudit {
      const kept = listKeyFiles().map(readKey);
      return {
        keys: kept,
        anchors: listAnchorFiles().map(readAnchorFile),
        since: kept.length === 0 ? undefined : Math.min(...kept.map(({ since }) => Date.parse(since))),
      };
    },
  };
}

function writeOnce(folder: string, name: string, text: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  readOrGenerateSecret(join(folder, name), () => text);
}

function listFiles(folder: string, pattern: RegExp): string[] {
  try {
    return readdirSync(folder).filter((name) => pattern.test(name));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
