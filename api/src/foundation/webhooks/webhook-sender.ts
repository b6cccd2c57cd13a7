import type { WebhookEvent, WebhookMessage, WebhookScope } from '@app/contracts/webhooks';
import type { Logger } from 'pino';
import { type AuditDetail, type AuditKind, parseDetail } from '#api/foundation/audit/audit-entry.ts';
import { createAuditRepository } from '#api/foundation/audit/audit.repository.ts';
import { rollBack, transact } from '#api/foundation/audit/transact.ts';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { nextTryAt } from '#api/foundation/db/outbox.ts';
import type {
  AuditEventRow,
  Db,
  NewWebhookDelivery,
  WebhookDeliveryRow,
  WebhookRow,
} from '#api/foundation/db/schema.ts';
import type { BackgroundQueue } from '#api/foundation/jobs/background-queue.ts';
import type { PostOutcome, PostWebhook } from './post-webhook.ts';
import type { WebhookSigner } from './webhook-signer.ts';
import { createWebhooksRepository } from './webhooks.repository.ts';

/** A claim older than this is from a server that has ended. */
const CLAIM_LEASE_MS = 60_000;

/** How many messages are on their way to one receiver. */
const MAX_CONCURRENT_DELIVERIES = 8;

/** How many events of the audit are looked at in one transaction. */
const BATCH_SIZE = 500;

/** Of messages whose try was not noted. Their claims end, and they are tried again. */
const NOT_SENT_MESSAGE = 'webhook not sent';

/** The status by which a receiver says that it is gone for good. */
const GONE_STATUS = 410;

export interface WebhookSource {
  /** By these the event is found in the audit. */
  kind: AuditKind;
  code: string;
  /** The member of its detail that names whose event it is. */
  scope: WebhookScope;
  /** What is told of it, the same for each try; undefined when it is about something that is no longer stored. */
  describe: (event: { at: number; detail: AuditDetail }) => Promise<WebhookMessage['data'] | undefined>;
}

export type WebhookSources = Partial<Record<WebhookEvent, WebhookSource>>;

interface SenderDeps {
  db: Db;
  signer: Pick<WebhookSigner, 'sign'>;
  post: PostWebhook;
  sources: WebhookSources;
  log: Pick<Logger, 'error' | 'warn'>;
  now: () => number;
  background: Pick<BackgroundQueue, 'add'>;
}

/**
 * Tells webhooks of events. What there is to tell stands in the audit: an event stands there once its transaction is committed, in a chain
 * without gaps. A turn makes deliveries of what is new in it, and has each webhook's own lane send what is due. Several
 * servers may do so at once; each delivery is sent by one of them.
 */
export function createWebhookSender({ db, signer, post, sources, log, now, background }: SenderDeps) {
  const webhooks = createWebhooksRepository(db);
  const audit = createAuditRepository(db);
  let last: Promise<unknown> = Promise.resolve();

  /** Makes deliveries of events that were sealed since the last turn. */
  async function queueNew(all: readonly WebhookRow[]): Promise<void> {
    const working = all.filter(({ disabledAt }) => disabledAt === null);
    if (working.length === 0) return;

    const events = await audit.listFrom(Math.min(...working.map(({ afterSeq }) => afterSeq)) + 1, BATCH_SIZE);
    const last = events.at(-1);
    if (!last) return;
    const behind = working.filter(({ afterSeq }) => afterSeq < last.seq);
    const isDone = await transact(db, { webhooks: createWebhooksRepository }, async (tx) => {
      for (const webhook of behind) {
        if (!(await tx.webhooks.advance(webhook, last.seq))) return rollBack(false);
        await tx.webhooks.addDeliveries(events.flatMap((event) => listDeliveries(webhook, event)));
      }
      return true;
    });
    if (isDone && events.length === BATCH_SIZE) await queueNew(await webhooks.list());
  }

  function listDeliveries({ id, scope, owner, events, afterSeq }: WebhookRow, event: AuditEventRow) {
    if (event.seq <= afterSeq) return [];
    const at = now();
    return events.split(' ').flatMap((name): NewWebhookDelivery[] => {
      const source = sources[name as WebhookEvent];
      const isMeant = source?.kind === event.kind && source.code === event.code && source.scope === scope;
      if (!isMeant || parseDetail(event.detail)?.[scope] !== owner) return [];
      return [
        {
          id: randomId(at),
          webhookId: id,
          event: name as WebhookEvent,
          seq: event.seq,
          state: 'queued',
          createdAt: at,
          nextTryAt: at,
        },
      ];
    });
  }

  /** Does work with the database after all such work of other lanes, so that visitors find its connections free. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  }

  /** Sends what is due for a webhook, a few at once. A receiver that hangs delays its own messages only. */
  async function runLane(id: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const [rows, webhook] = await inTurn(async () => [
        await webhooks.claim(now(), MAX_CONCURRENT_DELIVERIES, id),
        await webhooks.find(id),
      ]);
      if (rows.length === 0 || !webhook) return;
      await Promise.all(
        rows.map((row) =>
          sendOne(webhook, row).catch((err: unknown) => log.warn({ err, webhook: id }, NOT_SENT_MESSAGE)),
        ),
      );
    }
  }

  async function sendOne(webhook: WebhookRow, delivery: WebhookDeliveryRow): Promise<void> {
    // What was queued when its receiver said that it is gone.
    if (webhook.disabledAt !== null)
      return inTurn(() => webhooks.giveUp(delivery, { outcome: 'disabled', endedAt: now() }));

    const body = await inTurn(() => compose(delivery));
    const outcome =
      body === undefined
        ? undefined
        : await post(webhook.url, signer.sign(webhook, { id: delivery.id, body, at: now() }), body);
    await inTurn(() => note(webhook, delivery, outcome));
  }

  /** Writes down what a try had; undefined when there was nothing left to send. */
  async function note(webhook: WebhookRow, delivery: WebhookDeliveryRow, outcome?: PostOutcome): Promise<void> {
    const at = now();
    if (!outcome) return webhooks.giveUp(delivery, { outcome: 'no longer stored', endedAt: at });
    const said = describeOutcome(outcome);
    if (isAccepted(outcome)) return webhooks.markSent(delivery, { state: 'delivered', outcome: said, endedAt: at });

    const about = { webhook: webhook.id, host: new URL(webhook.url).host, of: webhook.owner, outcome: said };
    const isGone = 'status' in outcome && outcome.status === GONE_STATUS;
    const { id, event, tries } = delivery;
    const nextAt = isGone ? undefined : nextTryAt(delivery, at);
    if (nextAt !== undefined) return webhooks.planRetry(delivery, nextAt, { outcome: said });

    await webhooks.giveUp(delivery, { outcome: said, endedAt: at });
    if (!isGone) log.error({ ...about, delivery: id, event, tries }, 'webhook given up');
    else if (await webhooks.disable(webhook.id, at)) log.error(about, 'webhook disabled');
  }

  /** The message of a delivery; undefined when what it is about is no longer stored. */
  async function compose({ event: type, seq }: WebhookDeliveryRow): Promise<string | undefined> {
    const [event] = type === 'webhook.test' || seq === null ? [] : await audit.listFrom(seq, 1);
    const data =
      event?.seq === seq &&
      (await sources[type as WebhookEvent]?.describe({ at: event.at, detail: parseDetail(event.detail) ?? {} }));
    return data ? composeMessage(type, event.at, data) : undefined;
  }

  return {
    /** Queues what is new, and begins to send what is due. It does not wait for receivers. Never throws. */
    async turn(signal: AbortSignal): Promise<void> {
      const all = await webhooks.list();
      // Without a webhook nothing else is asked.
      if (all.length === 0) return;

      await queueNew(all);
      await webhooks.releaseStaleClaims(now() - CLAIM_LEASE_MS);
      for (const id of await webhooks.listDue(now())) {
        background.add({
          key: `webhook ${id}`,
          run: () => runLane(id, signal),
          onFailure: (err) => log.warn({ err, webhook: id }, NOT_SENT_MESSAGE),
        });
      }
    },
  };
}

/** Writes a message. Its type and version tell receivers how to read the data. */
export function composeMessage(type: string, at: number, data: object): string {
  return JSON.stringify({ type, version: '1', timestamp: new Date(at).toISOString(), data });
}

export function describeOutcome(outcome: PostOutcome): string {
  return 'status' in outcome ? String(outcome.status) : outcome.code;
}

export function isAccepted(outcome: PostOutcome): boolean {
  return 'status' in outcome && outcome.status >= 200 && outcome.status < 300;
}
