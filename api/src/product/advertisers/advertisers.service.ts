import { ADVERTISER_IDS, DEFAULT_ADVERTISER, pickAdvertiser, type AdvertiserId } from '@app/contracts/key-system';
import type { AdvertiserRow, StepLinkRow } from '#api/foundation/db/schema.ts';
import { askUntilProcessed, ProviderError, type CallProvider } from '#api/foundation/http/call-provider.ts';
import { advertiserCalls, advertiserCircuitOpen } from '#api/foundation/telemetry/metrics.ts';
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
  /** Called with each failure of an advertiser. */
  warn: (error: ProviderError) => void;
  /** Called when an advertiser's circuit opens or closes. */
  noteState: (id: AdvertiserId, state: 'open' | 'closed') => void;
  /** Replaces the shortest stay of every advertiser, in milliseconds. */
  minDwellMs?: number | undefined;
  call: CallProvider;
  /** After how many failures in a row a circuit opens, and for how many milliseconds. */
  circuit: { failuresToOpen: number; restMs: number };
}

/** An advertiser's row, and whether visitors can be sent there at the moment (`ok`). */
export interface Terms extends AdvertiserRow {
  ok: boolean;
}

/** The step of a run for which a route is looked for. */
export type RunStep = Pick<StepLinkRow, 'appId' | 'os' | 'step'>;

/** The advertiser of a step, its terms, and the link of its panel; null for the link of the account. */
export interface StepRoute extends Pick<Terms, 'ok' | 'minDwellMs'> {
  advertiserId: AdvertiserId;
  link: string | null;
}

export type AdvertisersService = ReturnType<typeof createAdvertisersService>;

/** Finds the route of a step, makes links and checks proofs, each through the advertiser's circuit breaker. */
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
    advertiserCircuitOpen.set({ advertiser: id }, 0);
    return createCircuitBreaker({
      callProvider: call,
      now,
      ...circuit,
      onCall: (outcome, seconds) => advertiserCalls.observe({ advertiser: id, outcome }, seconds),
      onChange(state) {
        advertiserCircuitOpen.set({ advertiser: id }, state === 'open' ? 1 : 0);
        noteState(id, state);
      },
    });
  }

  function present(row: AdvertiserRow): Terms {
    return { ...row, minDwellMs: minDwellMs ?? row.minDwellMs, ok: row.enabled === 1 && !breakers[row.id].isOpen() };
  }

  return {
    async getTerms(id: AdvertiserId): Promise<Terms> {
      return present(await advertisers.get(id));
    },

    /** Adds to rows of advertisers what only this server knows: whether their circuit is open. */
    present,

    /**
     * Finds the wanted advertiser's link for a step. For a combination that is not in the table it gives Linkvertise's
     * link of step 1.
     */
    async findStepRoute(place: RunStep, wanted: string | undefined): Promise<StepRoute> {
      const advertiserId = pickAdvertiser(place.appId, place.step, wanted);
      const routes = await advertisers.listRoutes(place, [place.step, 1], [advertiserId, DEFAULT_ADVERTISER]);
      const find = (id: AdvertiserId, step: number | null) => routes.find((row) => row.id === id && row.step === step);
      const route = find(advertiserId, place.step) ?? find(DEFAULT_ADVERTISER, 1) ?? find(DEFAULT_ADVERTISER, null);
      if (!route) throw new Error(`There is no advertiser ${DEFAULT_ADVERTISER}.`);

      const { id, ok, minDwellMs } = { ...route, ...present(route) };
      return { advertiserId: id, link: route.url, ok, minDwellMs };
    },

    /**
     * Makes the link that a visitor is sent to.
     * @returns undefined when the circuit is open, or the advertiser gives no link that leads to its own hosts
     */
    async createLink(id: AdvertiserId, order: LinkOrder): Promise<string | undefined> {
      if (breakers[id].isOpen()) return undefined;

      try {
        if (order.link !== null) requireOwnHost(order.link, adapters[id]);
        return requireOwnHost(await askUntilProcessed(() => adapters[id].createLink(order)), adapters[id]);
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        warn(error);
        return undefined;
      }
    },

    bringsProof(id: AdvertiserId, query: ReturnQuery): boolean {
      return adapters[id].bringsProof(query);
    },

    /**
     * Checks what a return brought. While the circuit is open, a refusal counts as `unavailable`: an advertiser that
     * fails may itself have sent the visitor back with a bad proof. So does the refusal of what it was asked again.
     */
    async checkProof(id: AdvertiserId, query: ReturnQuery, attempt: { issuedAt: number }): Promise<ProofVerdict> {
      try {
        return await askUntilProcessed(async (isAgain) => {
          const verdict = await adapters[id].checkProof(query, attempt);
          const isInDoubt = verdict.verdict === 'refused' && (isAgain || breakers[id].isOpen());
          return isInDoubt ? { verdict: 'unavailable', proofSpent: isAgain } : verdict;
        });
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        warn(error);
        return { verdict: 'unavailable', proofSpent: error.wasSent };
      }
    },
  };
}

/**
 * Accepts a link only when it leads to a host of the advertiser.
 * @throws ProviderError for any other link
 */
function requireOwnHost(link: string, advertiser: Advertiser): string {
  if (URL.canParse(link)) {
    const { protocol, host, href } = new URL(link);
    if (/^https?:$/.test(protocol) && advertiser.hosts().includes(host)) return href;
  }
  throw new ProviderError(`${advertiser.id}: the link leads to a foreign host`, { failure: 'unfit' });
}
