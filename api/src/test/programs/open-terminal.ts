import { createAuditTrust, type AuditTrust } from '#api/foundation/audit/audit-trust.ts';
import { createPostWebhook, type WebhookAddresses } from '#api/foundation/webhooks/post-webhook.ts';
import { createWebhookSigner } from '#api/foundation/webhooks/webhook-signer.ts';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { createEmailCipher } from '#api/product/licences/email-cipher.ts';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { createOrderCipher } from '#api/product/payments/checkout.ts';
import type { PaymentProvider } from '#api/product/payments/stripe.ts';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { runOps } from '#api/ops/run-ops.ts';
import { createTestApi, TEST_PEPPER, type TestApi } from '#api/test/create-test-api.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { sealAudit } from '#api/test/sealed.ts';

export const OPS_SIGNING_KEY = readSigningKey(generateSigningKey('test-key'));

/** Makes a function that runs an operator's command on a server's data. */
function createTerminal(
  api: TestApi,
  auditTrust: AuditTrust,
  provider: PaymentProvider | undefined,
  addresses: WebhookAddresses,
) {
  const pseudonyms = createPseudonyms(TEST_PEPPER);
  const context = {
    db: api.db,
    pseudonyms,
    emails: createEmailCipher(TEST_PEPPER, pseudonyms),
    orderCipher: createOrderCipher(TEST_PEPPER),
    provider,
    limits: DEFAULT_LIMITS,
    signingKey: OPS_SIGNING_KEY,
    auditTrust,
    webhooks: { signer: createWebhookSigner(TEST_PEPPER), post: createPostWebhook(addresses), addresses },
    generatedKeysIn: undefined,
    now: api.now,
    user: 'ada',
  };

  return async (...argv: string[]) => {
    const said = { out: '', err: '' };
    const code = await runOps(argv, {
      open: () => Promise.resolve({ ...context, close: () => Promise.resolve() }),
      place: () => ({ DATA_DIR: '/nowhere', DATABASE_URL: undefined }),
      out: (text) => (said.out += text),
      err: (text) => (said.err += text),
    });
    return { code, ...said };
  };
}

/** A server, and the terminal of its operator. */
export async function openTerminal({
  provider,
  addresses = 'public',
}: { provider?: PaymentProvider; addresses?: WebhookAddresses } = {}) {
  const api = await createTestApi({ signingKey: OPS_SIGNING_KEY });
  const auditTrust = createAuditTrust(makeFolder());
  auditTrust.keepKey(OPS_SIGNING_KEY.publicJwk, api.now());
  const type = createTerminal(api, auditTrust, provider, addresses);
  /** The exit code of a command, and all that it says. */
  const say = async (...argv: string[]) => {
    const { code, out, err } = await type(...argv);
    return [code, out + err] as const;
  };
  const ask = async (...argv: string[]) => JSON.parse((await type(...argv, '--json')).out) as unknown;
  const listAudit = async () =>
    (await sealAudit(api.db))
      .selectFrom('auditEvent')
      .select(['kind', 'code', 'detail'])
      .where('detail', 'like', '%"by":"%')
      .orderBy('seq')
      .execute();
  return { api, type, say, ask, listAudit, auditTrust };
}
