import type { AdvertiserId } from '@app/contracts/key-system';
import type { Router } from 'express';
import { createAdvertisersRepository } from '#api/product/advertisers/advertisers.repository.ts';
import { createAdvertisersService, type AdvertisersService } from '#api/product/advertisers/advertisers.service.ts';
import type { AdvertisersSettings } from '#api/product/advertisers/advertisers-settings.ts';
import { createSandbox } from '#api/product/advertisers/sandbox/sandbox.ts';
import { createServersRepository } from '#api/server/servers.repository.ts';
import type { CallProvider, ProviderError } from '#api/foundation/http/call-provider.ts';
import type { AppDeps } from './app-deps.ts';

interface Advertising {
  advertisers: AdvertisersService;
  settings: () => AdvertisersSettings;
  /** The fake advertisers of a development machine. */
  sandbox?: Router | undefined;
}

/**
 * Creates the advertisers' service. Each time an advertiser's circuit opens or closes, that is logged, and stored for
 * operators to see.
 */
export async function openAdvertising(
  deps: AppDeps,
  { call, warn }: { call: CallProvider; warn: (error: ProviderError) => void },
): Promise<Advertising> {
  const { db, log, now, limits } = deps;
  const rows = createAdvertisersRepository(db);
  // What a dead process has noted ends with it; what another server has noted is true.
  if ((await createServersRepository(db).sumOthers(deps.instance)).servers === 0) await rows.forgetFailing();

  const noteState = (advertiser: AdvertiserId, state: 'open' | 'closed') => {
    log.warn({ advertiser, state }, state === 'open' ? 'advertiser circuit open' : 'advertiser circuit closed');
    rows
      .noteFailing(advertiser, state === 'open' ? now() : null)
      .catch((error: unknown) => log.error({ err: error }, 'health not noted'));
  };
  const { settings, router: sandbox } = openAccounts(deps, async (id) => (await advertisers.getTerms(id)).minDwellMs);
  const advertisers = createAdvertisersService({
    advertisers: rows,
    settings,
    now,
    warn,
    noteState,
    minDwellMs: deps.minDwellMs,
    call,
    circuit: { failuresToOpen: limits.advertiserFailures, restMs: limits.advertiserRestMs },
  });
  return { advertisers, settings, sandbox };
}

function openAccounts(
  { advertisers, baseUrl, selfOrigin, now }: AppDeps,
  countdownMs: (id: AdvertiserId) => Promise<number>,
): { settings: () => AdvertisersSettings; router?: Router } {
  if (advertisers !== 'sandbox') return { settings: () => advertisers };

  return createSandbox({ baseUrl, selfOrigin, now, countdownMs });
}
