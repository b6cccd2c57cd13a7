import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openServerDb } from '#api/foundation/db/open-server-db.ts';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { parseEnv } from '#api/foundation/settings/env.ts';
import { createAuditRepository } from '#api/foundation/audit/audit.repository.ts';
import { createAuditService } from '#api/foundation/audit/audit.service.ts';
import { openAuditTrust } from '#api/foundation/audit/audit-trust.ts';
import { sealAll } from '#api/foundation/audit/seal-audit.ts';
import { openOps } from '#api/ops/open-ops.ts';
import { runOps } from '#api/ops/run-ops.ts';
import { createTestApi, TEST_PEPPER } from '#api/test/create-test-api.ts';
import { createDatabase } from '#api/test/databases/create-database.ts';
import { makeFolder } from '#api/test/make-folder.ts';

/** What the settings of a site name outside its database. It is the same before and after a loss. */
export function makeSecrets() {
  const folder = makeFolder();
  const SIGNING_KEY_FILE = join(folder, 'signing-key.json');
  writeFileSync(SIGNING_KEY_FILE, generateSigningKey('test-key'));
  return { HWID_PEPPER: TEST_PEPPER, SIGNING_KEY_FILE, AUDIT_TRUST_DIR: join(folder, 'audit-trust') };
}

/** Settings that name an empty database: on a PostgreSQL server, or in a folder. */
export async function makePlace(server: string | undefined) {
  const DATA_DIR = makeFolder();
  return server === undefined ? { DATA_DIR } : { DATA_DIR, DATABASE_URL: await createDatabase(server) };
}

type Settings = Record<string, string>;

/** Starts a site with these settings, and signs its audit as a server does. It ends with the test. */
export async function startSite(settings: Settings, startAt = Date.now()) {
  const env = parseEnv(settings);
  const signingKey = readSigningKey(readFileSync(settings['SIGNING_KEY_FILE'] ?? '', 'utf8'));
  const { db, close } = await openServerDb({ databaseUrl: env.DATABASE_URL, dataDir: env.DATA_DIR });
  let isOpen = true;
  const stop = async () => {
    if (isOpen) await close();
    isOpen = false;
  };
  onTestFinished(stop);
  const api = await createTestApi({ db, startAt, signingKey });
  const trust = openAuditTrust(env);
  trust.keepKey(signingKey.publicJwk, startAt);

  return {
    api,
    stop,
    anchor: async () => {
      await sealAll(db);
      const audit = createAuditRepository(db);
      const { now } = api;
      await createAuditService({
        audit,
        trust,
        signingKey: () => signingKey,
        retentionDays: 400,
        now,
      }).anchorEndedDays();
    },
  };
}

export async function operate(settings: Settings, ...argv: string[]) {
  const said = { out: '', err: '' };
  const env = parseEnv(settings);
  const code = await runOps(argv, {
    open: () => openOps(env),
    place: () => env,
    out: (text) => (said.out += text),
    err: (text) => (said.err += text),
  });
  return { code, ...said };
}
