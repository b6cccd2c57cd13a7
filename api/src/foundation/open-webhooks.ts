import { createOutageLog } from './jobs/periodic-job.ts';
import type { Module, Site } from './module.ts';
import { createPostWebhook, type WebhookAddresses } from './webhooks/post-webhook.ts';
import { createWebhookSender } from './webhooks/webhook-sender.ts';
import { createWebhookSigner } from './webhooks/webhook-signer.ts';

/** How often new events and due deliveries are looked for. */
const INTERVAL_MS = 1000;

/** Tells webhooks of events. `modules` say what is told of theirs. */
export function openWebhooks(
  { db, log, now, pepper, background }: Pick<Site, 'db' | 'log' | 'now' | 'pepper' | 'background'>,
  modules: readonly Module[],
  addresses: WebhookAddresses,
): Module {
  const sender = createWebhookSender({
    db,
    signer: createWebhookSigner(pepper),
    post: createPostWebhook(addresses),
    sources: Object.assign({}, ...modules.map(({ webhooks }) => webhooks)) as NonNullable<Module['webhooks']>,
    log,
    now,
    background,
  });
  const attempt = createOutageLog(log, {
    away: 'webhooks cannot be read; what they are to be told waits',
    back: 'webhooks can be read again',
  });
  return {
    routes: {},
    jobs: [{ run: (signal) => attempt(() => sender.turn(signal)), intervalMs: INTERVAL_MS }],
  };
}
