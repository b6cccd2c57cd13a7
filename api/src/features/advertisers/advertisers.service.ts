import { ADVERTISER_IDS, DEFAULT_ADVERTISER, pickAdvertiser, type AdvertiserId } from '@app/contracts/key-system';
import type { AdvertiserRow, StepLinkRow } from '#api/db/schema.ts';
import { ProviderError, type CallProvider } from '#api/http/call-provider.ts';
import type { Advertiser, LinkOrder, ProofVerdict, ReturnQuery } from './advertiser.ts';
import type { AdvertisersRepository } from './advertisers.repository.ts';
import type { AdvertisersSettings } from './advertisers-settings.ts';
import { createCircuitBreaker, type CircuitBreaker } from './circuit-breaker.ts';
import { createLinkvertise } from './linkvertise.ts';
import { createLootlabs } from './lootlabs.ts';
import { createRinku } from './rinku.ts';
import { createWorkink } from './workink.ts';

interface AdvertisersDeps {
  advertisers: AdvertisersRepository;
  settings: () => AdvertisersSettings;
  now: () => number;
  /** Hears of an advertiser that does not answer as it should, */
  warn: (error: ProviderError) => void;
  /** and of one whose circuit opens or closes for that. */
  noteState: (id: AdvertiserId, state: 'open' | 'closed') => void;
  /** Instead of each advertiser's own minimum. */
  minDwellMs?: number | undefined;
  call: CallProvider;
  /** After how many failures in a row the circuit of an advertiser opens, and for how long. */
  circuit: { failuresToOpen: number; restMs: number };
}

/** What an advertiser asks of a visitor, and whether visitors can be sent there at the moment. */
export interface Terms extends AdvertiserRow {
  ok: boolean;
}

/** The step of a run that a way is looked for. */
export type RunStep = Pick<StepLinkRow, 'appId' | 'os' | 'step'>;

/** Through which advertiser, and over which link of its panel; null for the account's own. */
export interface StepRoute {
  advertiserId: AdvertiserId;
  link: string | null;
}

export type AdvertisersService = ReturnType<typeof createAdvertisersService>;

export function createAdvertisersService({
  advertisers,
  settings,
  now,
  warn,
  noteState,
  minDwellMs,
  call,
  circuit,
}: AdvertisersDeps) {
  const breakers = Object.fromEntries(ADVERTISER_IDS.map((id) => [id, createBreaker(id)])) as Record<
    AdvertiserId,
    CircuitBreaker
  >;
  const adapters: Record<AdvertiserId, Advertiser> = {
    linkvertise: createLinkvertise(() => settings().linkvertise, breakers.linkvertise.call),
    workink: createWorkink(() => settings().workink, breakers.workink.call, now),
    lootlabs: createLootlabs(() => settings().lootlabs, breakers.lootlabs.call),
    rinku: createRinku(() => settings().rinku, breakers.rinku.call),
  };

  function createBreaker(id: AdvertiserId): CircuitBreaker {
    return createCircuitBreaker({ callProvider: call, now, ...circuit, onChange: (state) => noteState(id, state) });
  }

  function present(row: AdvertiserRow): Terms {
    return { ...row, minDwellMs: minDwellMs ?? row.minDwellMs, ok: row.enabled === 1 && !breakers[row.id].isOpen() };
  }

  return {
    async getTerms(id: AdvertiserId): Promise<Terms> {
      return present(await advertisers.get(id));
    },

    async list(): Promise<Terms[]> {
      return (await advertisers.list()).map(present);
    },

    /** The wanted advertiser's link for the step; a combination that the table does not know is the first step's at Linkvertise. */
    async findStepRoute(place: RunStep, wanted: string | undefined): Promise<StepRoute> {
      const advertiserId = pickAdvertiser(place.appId, place.step, wanted);
      const known = await advertisers.findStepLink({ ...place, advertiserId });
      if (known) return { advertiserId, link: known.url };

      const first = await advertisers.findStepLink({ ...place, advertiserId: DEFAULT_ADVERTISER, step: 1 });
      return { advertiserId: DEFAULT_ADVERTISER, link: first?.url ?? null };
    },

    /** The address to send a visitor to, or undefined when the advertiser gives none that we trust. */
    async createLink(id: AdvertiserId, order: LinkOrder): Promise<string | undefined> {
      if (breakers[id].isOpen()) return undefined;

      try {
        if (order.link !== null) requireOwnHost(order.link, adapters[id]);
        return requireOwnHost(await adapters[id].createLink(order), adapters[id]);
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        warn(error);
        return undefined;
      }
    },

    bringsProof(id: AdvertiserId, query: ReturnQuery): boolean {
      return adapters[id].bringsProof(query);
    },

    /** The advertiser's word on a return. One that is failing may well have sent the visitor back with a bad proof, and refuses nobody. */
    async checkProof(id: AdvertiserId, query: ReturnQuery, attempt: { issuedAt: number }): Promise<ProofVerdict> {
      try {
        const verdict = await adapters[id].checkProof(query, attempt);
        const isInDoubt = verdict.verdict === 'refused' && breakers[id].isOpen();
        return isInDoubt ? { verdict: 'unavailable', proofSpent: false } : verdict;
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
  throw new ProviderError(`${advertiser.id}: the link leads to a foreign host`, { failure: 'unfit' });
}
