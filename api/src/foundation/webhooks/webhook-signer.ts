import { createHmac, randomBytes } from 'node:crypto';
import { deriveSecret, openText, sealText } from '#api/foundation/crypto/secrets.ts';
import type { WebhookRow } from '#api/foundation/db/schema.ts';

/** By this prefix receivers and secret scanners recognise the secret of a webhook. */
const SECRET_PREFIX = 'whsec_';

const SECRET_BYTES = 32;

export type WebhookSigner = ReturnType<typeof createWebhookSigner>;

/** Makes the secrets of webhooks, which are stored encrypted, and signs messages with them. */
export function createWebhookSigner(pepper: string) {
  const key = deriveSecret(pepper, 'secrets of webhooks');

  return {
    createSecret(id: string): { secret: string; sealedSecret: string } {
      const secret = SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
      return { secret, sealedSecret: sealText(key, id, secret) };
    },

    /** The headers of a message (standardwebhooks.com): its id, when it is sent in seconds, and the signature of both. */
    sign(
      { id: webhookId, sealedSecret }: Pick<WebhookRow, 'id' | 'sealedSecret'>,
      { id, body, at }: { id: string; body: string; at: number },
    ): Record<string, string> {
      const secret = Buffer.from(openText(key, webhookId, sealedSecret).slice(SECRET_PREFIX.length), 'base64');
      const timestamp = String(Math.floor(at / 1000));
      const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
      return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
    },
  };
}
