import { DEFAULT_ADVERTISER, pickAdvertiser, type AdvertiserId } from '@app/contracts/key-system';
import type { AdvertiserRow, StepLinkRow } from '#api/db/schema.ts';
import { ProviderError, type CallProvider } from '#api/http/call-provider.ts';
import type { Advertiser, LinkOrder, ProofVerdict, ReturnQuery } from './advertiser.ts';
import type { AdvertisersRepository } from './advertisers.repository.ts';
import type { AdvertisersSettings } from './advertisers-settings.ts';
import { createLinkvertise } from './linkvertise.ts';
import { createLootlabs } from './lootlabs.ts';
import { createRinku } from './rinku.ts';
import { createWorkink } from './workink.ts';

interface AdvertisersDeps {
  advertisers: AdvertisersRepository;
  settings: () => AdvertisersSettings;
  now: () => number;
  /** Hears of an advertiser that does not answer as it should. */
  warn: (error: ProviderError) => void;
  /** Instead of each advertiser's own minimum. */
  minDwellMs?: number | undefined;
  call: CallProvider;
}

/** The step of a run that a way is looked for. */
export type Place = Pick<StepLinkRow, 'appId' | 'os' | 'step'>;

/** Through which advertiser, and over which link of its panel; null for the account's own. */
export interface Way {
  advertiserId: AdvertiserId;
  link: string | null;
}

export type AdvertisersService = ReturnType<typeof createAdvertisersService>;

export function createAdvertisersService({ advertisers, settings, now, warn, minDwellMs, call }: AdvertisersDeps) {
  const adapters: Record<AdvertiserId, Advertiser> = {
    linkvertise: createLinkvertise(() => settings().linkvertise, call),
    workink: createWorkink(() => settings().workink, call, now),
    lootlabs: createLootlabs(() => settings().lootlabs, call),
    rinku: createRinku(() => settings().rinku, call),
  };

  return {
    /** What an advertiser asks of a visitor: the kind of proof and the least time a person needs. */
    async getTerms(id: AdvertiserId): Promise<AdvertiserRow> {
      const row = await advertisers.get(id);
      return { ...row, minDwellMs: minDwellMs ?? row.minDwellMs };
    },

    /** Every advertiser, and whether visitors can be sent there at the moment. */
    async list(): Promise<(AdvertiserRow & { ok: boolean })[]> {
      return (await advertisers.list()).map((row) => ({ ...row, ok: row.enabled === 1 }));
    },

    /** The wanted advertiser's link for the step; a combination that the table does not know is the first step's at Linkvertise. */
    async findWay(place: Place, wanted: string | undefined): Promise<Way> {
      const advertiserId = pickAdvertiser(place.appId, place.step, wanted);
      const known = await advertisers.findStepLink({ ...place, advertiserId });
      if (known) return { advertiserId, link: known.url };

      const first = await advertisers.findStepLink({ ...place, advertiserId: DEFAULT_ADVERTISER, step: 1 });
      return { advertiserId: DEFAULT_ADVERTISER, link: first?.url ?? null };
    },

    /** The address to send a visitor to, or undefined when the advertiser gives none that we trust. */
    async createLink(id: AdvertiserId, order: LinkOrder): Promise<string | undefined> {
      try {
        return requireOwnHost(await adapters[id].createLink(order), adapters[id]);
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        warn(error);
        return undefined;
      }
    },

    async checkProof(id: AdvertiserId, query: ReturnQuery, attempt: { issuedAt: number }): Promise<ProofVerdict> {
      try {
        return await adapters[id].checkProof(query, attempt);
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        warn(error);
        return { verdict: 'unavailable', proofSpent: error.wasSent };
      }
    },
  };
}

/** Whatever an advertiser answers, a visitor only ever goes to the advertiser. */
function requireOwnHost(link: string, advertiser: Advertiser): string {
  if (URL.canParse(link)) {
    const { protocol, host, href } = new URL(link);
    if (/^https?:$/.test(protocol) && advertiser.hosts().includes(host)) return href;
  }
  throw new ProviderError(`${advertiser.id} gave a link to a foreign host`, { failure: 'unfit' });
}
