import type { AdvertiserId } from '@app/contracts/advertisers';
import { type CallProvider, ProviderError, type ProviderRequest } from '#api/foundation/http/call-provider.ts';
import exampleSettings from '#api/product/advertisers/advertisers-settings.example.json' with { type: 'json' };
import { createAdvertisersService } from '#api/product/advertisers/advertisers.service.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { T0 } from '#api/test/build-rows.ts';

/** A reply of an advertiser, or how its call fails. */
type Reply = string | ProviderError;

export const FAILURES = {
  unreached: new ProviderError('not reached', { failure: 'unreached' }),
  unanswered: new ProviderError('no answer', { failure: 'unanswered' }),
  declined: new ProviderError('too much to do', { failure: 'declined' }),
};

/** The advertisers on the accounts of the example file; the test replies in their place. */
export function createService({ db }: { db?: Db } = {}) {
  const replies: Reply[] = [];
  let usual: Reply = '';
  const asked: (ProviderRequest & { url: string })[] = [];
  const states: [AdvertiserId, 'open' | 'closed'][] = [];
  const call: CallProvider = (url, request = {}) => {
    asked.push({ url: url.href, ...request });
    const reply = replies.shift() ?? usual;
    return typeof reply === 'string' ? Promise.resolve(reply) : Promise.reject(reply);
  };
  const service = createAdvertisersService({
    db: db ?? (undefined as unknown as Db),
    settings: () => exampleSettings,
    now: () => T0,
    warn: () => undefined,
    noteState: (...state) => states.push(state),
    call,
    circuit: { failuresToOpen: 5, restMs: 30_000 },
    baseUrl: () => 'https://site.example',
  });

  return {
    service,
    asked,
    states,
    /** Sets the replies to the next calls; the last one is that to all further calls, too. */
    answer: (...next: Reply[]): void => {
      replies.splice(0, Infinity, ...next);
      usual = next.at(-1) ?? '';
    },
  };
}
