import type { WebhookEvent, WebhookScope } from '@app/contracts/webhooks';
import type { Generated } from 'kysely';

export interface WebhookTables {
  /** An address that is told of events. */
  webhook: {
    id: string;
    scope: WebhookScope;
    /** The app or the unit whose events it is told. */
    owner: string;
    url: string;
    /** Their names, with spaces between. */
    events: string;
    /** The secret that signs its messages, encrypted. */
    sealedSecret: string;
    /** The number of the last event of the audit that was looked at for it. */
    afterSeq: number;
    createdAt: number;
    createdBy: string;
    /** When its receiver said that it is gone. Nothing is sent since then. */
    disabledAt: Generated<number | null>;
  };

  /** A message for one webhook. Its id is the one that receivers see, at each try. */
  webhookDelivery: {
    id: string;
    webhookId: string;
    event: WebhookEvent | 'webhook.test';
    /** The event of the audit that it tells; null for a test. */
    seq: number | null;
    state: 'queued' | 'sending' | 'delivered' | 'failed';
    createdAt: number;
    nextTryAt: number;
    claimedAt: Generated<number | null>;
    tries: Generated<number>;
    /** When it was delivered or given up. */
    endedAt: Generated<number | null>;
    /** What the last try had: a status of HTTP, or the code of an error. */
    outcome: Generated<string | null>;
  };
}
