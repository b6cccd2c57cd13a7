import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { describeStartError, openDb, SQLITE_FILE } from '#api/foundation/db/open-db.ts';
import { isUpToDate } from '#api/foundation/db/migrate.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import type { Env } from '#api/foundation/settings/env.ts';
import { openAuditTrust } from '#api/foundation/audit/audit-trust.ts';
import { createPostWebhook } from '#api/foundation/webhooks/post-webhook.ts';
import { createWebhookSigner } from '#api/foundation/webhooks/webhook-signer.ts';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { requirePepper } from '#api/foundation/visitors/pepper-check.ts';
import { loadLimits } from '#api/product/limits/limits.ts';
import { createEmailCipher } from '#api/product/licences/email-cipher.ts';
import { createOrderCipher } from '#api/product/payments/checkout.ts';
import type { PaymentProvider } from '#api/product/payments/stripe.ts';
import { createStripe, readStripeAccount } from '#api/product/payments/stripe.ts';
import { loadSecrets, PEPPER_FILE } from '#api/foundation/secrets/load-secrets.ts';
import { join } from 'node:path';
import { OpsError, type OpsContext } from './command.ts';

/**
 * Opens the database and the secrets of the server with these settings. It makes neither: only the server does.
 * @throws OpsError when the server has not made them yet, or the database has another version
 */
export async function openOps(env: Env): Promise<OpsContext & { close: () => Promise<void> }> {
  requireServerData(env);
  const { pepper, signingKey } = loadSecrets(env);
  const db = await openCurrentDatabase(env, pepper);

  const now = () => Date.now() + (env.TEST_CLOCK_OFFSET_MS ?? 0);
  const pseudonyms = createPseudonyms(pepper);
  return {
    db,
    pseudonyms,
    emails: createEmailCipher(pepper, pseudonyms),
    orderCipher: createOrderCipher(pepper),
    provider: openProvider(env, now),
    limits: loadLimits(env),
    signingKey,
    webhooks: {
      signer: createWebhookSigner(pepper),
      post: createPostWebhook(env.WEBHOOK_ADDRESSES),
      addresses: env.WEBHOOK_ADDRESSES,
    },
    auditTrust: openAuditTrust(env),
    generatedKeysIn: env.SIGNING_KEY_FILE === undefined ? env.DATA_DIR : undefined,
    now,
    user: findUser(),
    close: () => db.destroy(),
  };
}

/** The account with Stripe. The fake one of a development machine exists only within the server. */
function openProvider(env: Env, now: () => number): PaymentProvider | undefined {
  const account = readStripeAccount(env);
  return account === undefined || account === 'sandbox' ? undefined : createStripe({ account: () => account, now });
}

async function openCurrentDatabase({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir }: Env, pepper: string): Promise<Db> {
  let db: Db | undefined;
  try {
    db = openDb({ databaseUrl, dataDir, hasTimeouts: false });
    if (!(await isUpToDate(db)))
      throw new OpsError(
        'The database has another shape than this version needs; start the server, which brings it up to date.',
      );
    await requirePepper(db, pepper);
    return db;
  } catch (error) {
    await db?.destroy();
    throw describeStartError(error, databaseUrl, dataDir);
  }
}

/** In a container a user may have no name. */
function findUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${String(process.getuid?.() ?? 'unknown')}`;
  }
}

function requireServerData({ DATABASE_URL, DATA_DIR, HWID_PEPPER }: Env): void {
  const needed = [
    ...(DATABASE_URL === undefined ? [SQLITE_FILE] : []),
    ...(HWID_PEPPER === undefined ? [PEPPER_FILE] : []),
  ];
  const missing = needed.map((name) => join(DATA_DIR, name)).find((path) => !existsSync(path));
  if (missing !== undefined)
    throw new OpsError(`There is no ${missing}. Start the server once, or set DATA_DIR to where its data is.`);
}
