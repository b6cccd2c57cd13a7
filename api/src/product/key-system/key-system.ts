import type { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import type { AdvertisersService } from '#api/product/advertisers/advertisers.service.ts';
import type { Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import type { KeysService } from '#api/product/keys/keys.service.ts';
import type { KeySubjectCipher } from './ticket.ts';
import type { Limits } from '#api/product/limits/limits.ts';

/** A write that the database could not take. It must not be lost: an advertiser confirms a proof only once. */
export interface QueuedWrite {
  /** What is written. It is retried once at a time, also when it is added again meanwhile. */
  key: string;
  attemptId: string;
  /** Must be safe to repeat. */
  write: () => Promise<unknown>;
  /** When to give it up, in epoch milliseconds. */
  until: number;
  /** The error of the first try. */
  reason: DatabaseUnavailable;
}

export interface KeySystem {
  db: Db;
  /** The name of this server, under which it claims attempts. */
  instance: string;
  limits: Limits;
  advertisers: AdvertisersService;
  keys: Pick<KeysService, 'prepare'>;
  pseudonyms: Pseudonyms;
  subjectCipher: KeySubjectCipher;
  /** Retries writes in the background. */
  retryQueue: { add: (write: QueuedWrite) => void };
  postbackSecret: () => string;
  isOverloaded: () => boolean;
  baseUrl: () => string;
  now: () => number;
}
