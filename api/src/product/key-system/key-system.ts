import type { Db } from '#api/foundation/db/schema.ts';
import type { AdvertisersService } from '#api/product/advertisers/advertisers.service.ts';
import type { Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import type { KeysService } from '#api/product/keys/keys.service.ts';
import type { KeySubjectCipher } from './ticket.ts';
import type { RetryQueue } from './return/retry-queue.ts';
import type { Limits } from '#api/product/limits/limits.ts';

/** What the use cases of the key system work with. */
export interface KeySystem {
  db: Db;
  /** The name of this server, under which it claims attempts. */
  instance: string;
  limits: Limits;
  advertisers: Pick<
    AdvertisersService,
    'present' | 'getTerms' | 'findStepRoute' | 'createLink' | 'bringsProof' | 'isAddressProof' | 'checkProof'
  >;
  keys: Pick<KeysService, 'prepare'>;
  pseudonyms: Pseudonyms;
  subjectCipher: KeySubjectCipher;
  retryQueue: Pick<RetryQueue, 'add'>;
  /** The secret in the address of LootLabs' postback. */
  postbackSecret: () => string;
  /** Whether this server has more to do than it can, and takes no new runs. */
  isOverloaded: () => boolean;
  /** The site's own origin. */
  baseUrl: () => string;
  /** Epoch milliseconds. */
  now: () => number;
}
