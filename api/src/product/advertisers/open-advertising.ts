import type { AdvertiserId } from '@app/contracts/advertisers';
import type { Router } from 'express';
import { createServersRepository } from '#api/foundation/db/servers.repository.ts';
import type { CallProvider, ProviderError } from '#api/foundation/http/call-provider.ts';
import type { Site } from '#api/foundation/module.ts';
import { createAdvertisersRepository } from './advertisers.repository.ts';
import { createAdvertisersService, type AdvertisersService } from './advertisers.service.ts';
import type { AdvertisersSettings } from './advertisers-settings.ts';
import { createSandbox } from './sandbox/sandbox.ts';

interface Advertising {
  advertisers: AdvertisersService;
  accounts: () => AdvertisersSettings;
  sandbox?: Router | undefined;
}

interface Settings {
  advertisers: AdvertisersSettings | 'sandbox';
  limits: { advertiserFailures: number; advertiserRestMs: number };
  minDwellMs?: number | undefined;
}

/** Each time an advertiser's circuit opens or closes, that is logged, and stored for operators to see. */
export async function openAdvertising(
  site: Site,
  { advertisers: given, limits, minDwellMs }: Settings,
  { call, warn }: { call: CallProvider; warn: (error: ProviderError) => void },
): Promise<Advertising> {
  const { db, log, now, instance } = site;
  const rows = createAdvertisersRepository(db);
  // What a dead process has noted ends with it; what another server has noted is true.
  if ((await createServersRepository(db).sumOthers(instance)).servers === 0) await rows.forgetFailing();

  const noteState = (advertiser: AdvertiserId, state: 'open' | 'closed') => {
    log.warn({ advertiser, state }, state === 'open' ? 'advertiser circuit open' : 'advertiser circuit closed');
    rows
      .noteFailing(advertiser, state === 'open' ? now() : null)
      .catch((error: unknown) => log.error({ err: error }, 'health not noted'));
  };
  const { settings: accounts, router: sandbox } =
    given === 'sandbox'
      ? createSandbox({ ...site, countdownMs: async (id) => (await advertisers.getTerms(id)).minDwellMs })
      : { settings: () => given, router: undefined };
  const advertisers: AdvertisersService = createAdvertisersService({
    db,
    settings: accounts,
    now,
    warn,
    noteState,
    minDwellMs,
    call,
    circuit: { failuresToOpen: limits.advertiserFailures, restMs: limits.advertiserRestMs },
    baseUrl: site.baseUrl,
  });
  return { advertisers, accounts, sandbox };
}
