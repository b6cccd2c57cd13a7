import { ADVERTISER_IDS, type AdvertiserId, DEFAULT_ADVERTISER, pickAdvertiser } from '@app/contracts/advertisers';
import { isSpecified, SANDBOX } from '@app/contracts/key-system';
import type { AdvertiserRow, Db, StepLinkRow } from '#api/foundation/db/schema.ts';
import { retryWhileDeclined, type CallProvider, ProviderError } from '#api/foundation/http/call-provider.ts';
import { advertiserCalls, advertiserCircuitOpen } from '#api/foundation/telemetry/metrics.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { transact } from '#api/foundation/audit/transact.ts';
import type { Advertiser, LinkOrder, ProofVerdict, ReturnQuery } from './advertiser.ts';
import { createAdvertisersRepository } from './advertisers.repository.ts';
import type { AdvertisersSettings } from './advertisers-settings.ts';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';
import { createLinkvertise } from './linkvertise.ts';
import { createLootlabs } from './lootlabs.ts';
import { createRinku } from './rinku.ts';
import { createSandboxAdvertiser } from './sandbox-advertiser.ts';
import { createWorkink } from './workink.ts';

interface AdvertisersDeps {
  db: Db;
  settings: () => AdvertisersSettings;
  now: () => number;
  warn: (error: ProviderError) => void;
  noteState: (id: AdvertiserId, state: 'open' | 'closed') => void;
  /** Replaces the shortest stay of every advertiser, in milliseconds. */
  minDwellMs?: number | undefined;
  call: CallProvider;
  /** After how many failures in a row a circuit opens, and for how many milliseconds. */
  circuit: { failuresToOpen: number; restMs: number };
  baseUrl: () => string;
}

/** An advertiser's row, and whether visitors can be sent there at the moment (`ok`). */
export interface OfferedAdvertiser extends AdvertiserRow {
  ok: boolean;
}

export interface RunStep extends Pick<StepLinkRow, 'appId' | 'os' | 'step'> {
  /** The advertisers of a registered app. */
  offered: readonly AdvertiserId[] | undefined;
}

/** The advertiser of a step, its terms, and the link of its panel; null for the link of the account. */
export interface StepRoute extends Pick<OfferedAdvertiser, 'ok' | 'minDwellMs'> {
  advertiserId: AdvertiserId;
  link: string | null;
}

export type AdvertisersService = ReturnType<typeof createAdvertisersService>;

/** Finds the route of a step, makes links and checks proofs, each through the advertiser's circuit breaker. */
export function createAdvertisersService({
  db,
  settings,
  now,
  warn,
  noteState,
  minDwellMs,
  call,
  circuit,
  baseUrl,
}: AdvertisersDeps) {
  const advertisers = createAdvertisersRepository(db);
  const breakers = Object.fromEntries(ADVERTISER_IDS.map((id) => [id, createBreaker(id)])) as Record<
    AdvertiserId,
    CircuitBreaker
  >;
  const adapters: Record<AdvertiserId, Advertiser> = {
    linkvertise: createLinkvertise(() => settings().linkvertise, breakers.linkvertise.call),
    workink: createWorkink(() => settings().workink, breakers.workink.call, now),
    lootlabs: createLootlabs(() => settings().lootlabs, breakers.lootlabs.call),
    rinku: createRinku(() => settings().rinku, breakers.rinku.call),
    sandbox: createSandboxAdvertiser(baseUrl),
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

  function present(row: AdvertiserRow): OfferedAdvertiser {
    // Nobody has to stay on a page of ours.
    const dwellMs = row.id === SANDBOX ? 0 : (minDwellMs ?? row.minDwellMs);
    return { ...row, minDwellMs: dwellMs, ok: row.enabled === 1 && !breakers[row.id].isOpen() };
  }

  return {
    getTerms: async (id: AdvertiserId): Promise<OfferedAdvertiser> => present(await advertisers.get(id)),

    /** Adds to rows of advertisers what only this server knows: whether their circuit is open. */
    present,

    /**
     * What the table does not have gets Linkvertise's link of step 1; a registered app the link of the advertiser's
     * account.
     */
    async findStepRoute(place: RunStep, wanted: string | undefined): Promise<StepRoute> {
      const advertiserId = pickAdvertiser(place.appId, place.step, wanted, place.offered);
      const { appId, os, step } = place;
      const others = { otherStep: 1, otherAdvertiser: DEFAULT_ADVERTISER };
      const read = () => advertisers.listRoutes({ appId, os, step, advertiserId, ...others });
      let routes = await read();
      if (advertiserId === SANDBOX && !routes.some(({ id }) => id === SANDBOX)) {
        await advertisers.ensureSandbox();
        routes = await read();
      }
      const find = (id: AdvertiserId, step: number | null) => routes.find((row) => row.id === id && row.step === step);
      const ofAccount = routes.find(({ id }) => id === advertiserId && !isSpecified(place.appId));
      const route =
        find(advertiserId, place.step) ??
        (ofAccount && { ...ofAccount, url: null }) ??
        find(DEFAULT_ADVERTISER, 1) ??
        find(DEFAULT_ADVERTISER, null);
      if (!route) throw new Error(`There is no advertiser ${DEFAULT_ADVERTISER}.`);

      const { id, ok, minDwellMs } = { ...route, ...present(route) };
      return { advertiserId: id, link: route.url, ok, minDwellMs };
    },

    /** Undefined when the circuit is open, or the advertiser gives no link to its own hosts. */
    async createLink(id: AdvertiserId, order: LinkOrder): Promise<string | undefined> {
      if (breakers[id].isOpen()) return undefined;

      try {
        if (order.link !== null) requireOwnHost(order.link, adapters[id]);
        return requireOwnHost(await retryWhileDeclined(() => adapters[id].createLink(order)), adapters[id]);
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        warn(error);
        return undefined;
      }
    },

    bringsProof: (id: AdvertiserId, query: ReturnQuery): boolean => adapters[id].bringsProof(query),

    /** Whether reaching the return address is the whole proof. */
    isAddressProof: (id: AdvertiserId): boolean => adapters[id].isAddressProof === true,

    /**
     * Checks what a return brought. While the circuit is open, a refusal counts as `unavailable`: an advertiser that
     * fails may itself have sent the visitor back with a bad proof. So does the refusal of what it was asked again.
     */
    async checkProof(id: AdvertiserId, query: ReturnQuery, attempt: { issuedAt: number }): Promise<ProofVerdict> {
      try {
        return await retryWhileDeclined(async (isAgain) => {
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

/** @throws ProviderError for a link that leads to no host of the advertiser */
function requireOwnHost(link: string, advertiser: Advertiser): string {
  if (URL.canParse(link)) {
    const { protocol, host, href } = new URL(link);
    if (/^https?:$/.test(protocol) && advertiser.hosts().includes(host)) return href;
  }
  throw new ProviderError(`${advertiser.id}: the link leads to a foreign host`, { failure: 'unfit' });
}

/** Turns an advertiser on or off for all visitors, at once; false when it is so already. */
export function enableAdvertiser(
  { db }: { db: Db },
  id: AdvertiserId,
  isEnabled: boolean,
  { by, at }: Act,
): Promise<boolean> {
  return transact(db, { advertisers: createAdvertisersRepository }, async (tx) => {
    if (id === SANDBOX) await tx.advertisers.ensureSandbox();
    const isTurned = await tx.advertisers.setEnabled(id, isEnabled);
    const code = isEnabled ? 'enabled' : 'disabled';
    if (isTurned) tx.record({ at, kind: 'advertiser', code, subject: null, detail: { advertiser: id, by } });
    return isTurned;
  });
}
