import { randomBytes } from 'node:crypto';
import { WEBHOOK_EVENTS, type WebhookEvent, type WebhookScope } from '@app/contracts/webhooks';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { createAuditRepository } from '#api/foundation/audit/audit.repository.ts';
import { rollBack, transact } from '#api/foundation/audit/transact.ts';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import type { Db, WebhookRow } from '#api/foundation/db/schema.ts';
import { type PostWebhook, type PostOutcome } from './post-webhook.ts';
import { composeMessage, describeOutcome, isAccepted } from './webhook-sender.ts';
import type { WebhookSigner } from './webhook-signer.ts';
import { createWebhooksRepository } from './webhooks.repository.ts';

/** Each has connections of its own, so their number bounds all of them. */
const MAX_WEBHOOKS = 100;

const REPOSITORIES = { webhooks: createWebhooksRepository, audit: createAuditRepository };

export interface WebhookOptions {
  scope: WebhookScope;
  /** The app or the unit. */
  owner: string;
  /** An address that `findUrlProblem` has nothing against. */
  url: string;
  events: readonly WebhookEvent[];
}

/**
 * Adds a webhook. It is told of what happens from now on.
 * @returns its id and its secret, which is shown this once; undefined when there are too many
 */
export function addWebhook(
  { db, signer }: { db: Db; signer: Pick<WebhookSigner, 'createSecret'> },
  { scope, owner, url, events }: WebhookOptions,
  { by, at }: Act,
): Promise<{ id: string; secret: string } | undefined> {
  return transact(db, REPOSITORIES, async (tx) => {
    if ((await tx.webhooks.list()).length >= MAX_WEBHOOKS) return undefined;

    const id = randomBytes(6).toString('hex');
    const { secret, sealedSecret } = signer.createSecret(id);
    const { seq: afterSeq } = await tx.audit.getHead();
    const named = WEBHOOK_EVENTS[scope].filter((event) => (events as readonly string[]).includes(event)).join(' ');
    await tx.webhooks.add({
      id,
      scope,
      owner,
      url,
      events: named,
      sealedSecret,
      afterSeq,
      createdAt: at,
      createdBy: by,
    });
    tx.record({
      at,
      kind: 'webhook',
      code: 'added',
      subject: null,
      detail: { id, [scope]: owner, host: new URL(url).host, events: named, by },
    });
    return { id, secret };
  });
}

/** Removes a webhook, with all that waits for it and its log; undefined when there is none with this id. */
export function removeWebhook({ db }: { db: Db }, id: string, { by, at }: Act): Promise<WebhookRow | undefined> {
  return transact(db, REPOSITORIES, async (tx) => {
    const removed = await tx.webhooks.remove(id);
    if (!removed) return undefined;

    const { scope, owner, url } = removed;
    const detail = { id, [scope]: owner, host: new URL(url).host, by };
    tx.record({ at, kind: 'webhook', code: 'removed', subject: null, detail });
    return removed;
  });
}

/**
 * Makes one delivery due, or all of a webhook that wait or were given up. A webhook that was disabled works again.
 * @param id a webhook's or a delivery's
 * @returns how many are due; undefined when nothing has this id
 */
export function resendDeliveries({ db }: { db: Db }, id: string, { by, at }: Act): Promise<number | undefined> {
  return transact(db, REPOSITORIES, async (tx) => {
    const webhook = await tx.webhooks.find((await tx.webhooks.findDelivery(id))?.webhookId ?? id);
    if (!webhook) return undefined;

    const due = await tx.webhooks.makeDue(webhook.id === id ? { webhook: id } : { delivery: id }, at);
    if (due === 0 && webhook.disabledAt === null) return rollBack(0);
    await tx.webhooks.enable(webhook.id, (await tx.audit.getHead()).seq);
    const detail = { id: webhook.id, [webhook.scope]: webhook.owner, deliveries: due, by };
    tx.record({ at, kind: 'webhook', code: 'resent', subject: null, detail });
    return due;
  });
}

/** Sends a message that tells nothing, at once and once. It stands in the log as well. */
export async function testWebhook(
  { db, signer, post, now }: { db: Db; signer: Pick<WebhookSigner, 'sign'>; post: PostWebhook; now: () => number },
  webhook: WebhookRow,
): Promise<{ id: string; outcome: string; isTaken: boolean; ms: number }> {
  const at = now();
  const id = randomId(at);
  const body = composeMessage('webhook.test', at, { [webhook.scope]: webhook.owner });
  const outcome: PostOutcome = await post(webhook.url, signer.sign(webhook, { id, body, at }), body);
  const [said, taken, endedAt] = [describeOutcome(outcome), isAccepted(outcome), now()];
  await createWebhooksRepository(db).addDeliveries([
    {
      id,
      webhookId: webhook.id,
      event: 'webhook.test',
      seq: null,
      state: taken ? 'delivered' : 'failed',
      createdAt: at,
      nextTryAt: at,
      tries: 1,
      endedAt,
      outcome: said,
    },
  ]);
  return { id, outcome: said, isTaken: taken, ms: endedAt - at };
}
