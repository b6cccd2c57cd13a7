import {
  DEFAULT_ADVERTISER,
  DEFAULT_OS,
  pickAdvertiser,
  type AppId,
  type OperatingSystem,
} from '@app/contracts/key-system';
import type { RunRow } from '#api/db/schema.ts';
import type { AdvertisersService } from '#api/features/advertisers/advertisers.service.ts';
import type { Pseudonyms } from '#api/features/devices/pseudonyms.ts';
import type { ClientIdentity } from '#api/features/devices/client-identity.ts';
import type { DeviceClaim as Visitor } from '#api/features/devices/device-claim.ts';
import type { KeysRepository } from '#api/features/keys/keys.repository.ts';
import { randomId } from '#api/crypto/random-id.ts';
import { stepsRequired, type AppsRepository } from './apps.repository.ts';
import type { AttemptsRepository } from './attempts.repository.ts';
import type { Limits } from './limits.ts';
import type { EligibilityService } from './eligibility.service.ts';
import { BEGINNING, resolveDestination, type Destination } from './destinations.ts';
import type { KeySubjectCipher } from './key-subject-cipher.ts';
import { createTicket, hashTicket, sealVisitor } from './ticket.ts';
import type { RunsRepository, RunZone } from './runs.repository.ts';
import { pickKey, pickRun, matchZone, type ZoneClaimant } from './zone-matching.ts';

interface StartDeps {
  apps: AppsRepository;
  runs: RunsRepository;
  attempts: AttemptsRepository;
  keys: KeysRepository;
  advertisers: AdvertisersService;
  pseudonyms: Pseudonyms;
  subjectCipher: KeySubjectCipher;
  eligibility: EligibilityService;
  limits: Limits;
  now: () => number;
  baseUrl: () => string;
}

export interface StartRequest {
  appId: AppId;
  visitor: Visitor;
  os: OperatingSystem | undefined;
  advertiser: string | undefined;
  by: ClientIdentity;
  /** The browser's name, also one that it is only now given. */
  visitorHmac: string | null;
  /** The step whose button was pressed; undefined means "wherever my run stands". */
  step: number | undefined;
  /**
   * What to do when the open run is for another zone: go on with it as it is, or begin a new one. With `stay` a run of
   * one's own goes on as it is, and only others are asked: so says a page that led on without a click.
   */
  run: 'keep' | 'new' | 'stay' | undefined;
}

/** Where a press of Complete leads: out to an advertiser, or to the page where the visitor belongs. */
export type StartResult = { to: 'advertiser'; url: string } | { to: 'page'; stop: Destination };

export type StartService = ReturnType<typeof createStartService>;

export function createStartService({
  apps,
  runs,
  attempts,
  keys,
  advertisers,
  pseudonyms,
  subjectCipher,
  eligibility,
  limits,
  now,
  baseUrl,
}: StartDeps) {
  const askerOf = ({ visitor, by }: StartRequest): ZoneClaimant => ({ zoneHmac: pseudonyms.zone(visitor.zone), by });

  const zoneFor = (runId: string, zone: string): RunZone => ({
    zoneHmac: pseudonyms.zone(zone),
    sealedZone: subjectCipher.sealZone(runId, zone),
  });

  async function openRun(
    { appId, visitor, os, by, visitorHmac, run }: StartRequest,
    at: number,
  ): ReturnType<RunsRepository['open']> {
    const id = randomId();

    return runs.open({
      id,
      appId,
      hwidHmac: pseudonyms.hwid(visitor.hwid),
      ...zoneFor(id, visitor.zone),
      sealedSubject: subjectCipher.seal(id, visitor.hwid),
      os: os ?? DEFAULT_OS,
      passOs: os,
      by,
      visitorHmac,
      isBeside: run === 'new',
      stepsRequired: stepsRequired(await apps.get(appId)),
      at,
    });
  }

  /** A way through the advertiser for the step where the run stands. */
  async function depart(
    run: RunRow,
    { visitor, advertiser: wanted, by }: StartRequest,
    at: number,
  ): Promise<StartResult> {
    const { advertiserId, link } = await advertisers.findStepRoute(run, wanted);
    const here = { page: 'step', step: run.step, advertiser: advertiserId } as const;
    const terms = await advertisers.getTerms(advertiserId);
    if (!terms.ok) return { to: 'page', stop: { ...here, notice: 'KS_PROVIDER_DOWN' } };

    const id = randomId();
    const ticket = createTicket();
    const issued = await attempts.issue(run, {
      id,
      advertiserId,
      tokenHash: hashTicket(ticket),
      sealedContext: sealVisitor(ticket, id, visitor),
      issuedAt: at,
      by,
      notBefore: at + terms.minDwellMs,
      expiresAt: at + limits.ticketMs,
    });
    if (typeof issued === 'object')
      return { to: 'page', stop: { ...here, notice: 'KS_LIMIT', until: issued.limitedUntil } };
    if (issued === 'moved_on')
      return { to: 'page', stop: resolveDestination((await runs.find(run.id)) ?? run, at, advertiserId) };

    const url = await advertisers.createLink(advertiserId, {
      attemptId: id,
      returnUrl: `${baseUrl()}/api/keysystem/return/${ticket}`,
      link,
    });
    if (url !== undefined) return { to: 'advertiser', url };

    await attempts.withdraw(id);
    return { to: 'page', stop: { ...here, notice: 'KS_PROVIDER_DOWN' } };
  }

  /** Decides whose zone the key will go to, at every press and so never at the end; then leads on. */
  async function goOn(run: RunRow, request: StartRequest, at: number): Promise<StartResult> {
    if (!standsAt(run, request.step)) return { to: 'page', stop: resolveDestination(run, at) };

    const eligibility = matchZone(run, askerOf(request));
    if (eligibility === 'other' && request.run !== 'keep') {
      const advertiser = pickAdvertiser(run.appId, run.step, request.advertiser);
      return { to: 'page', stop: { page: 'step', step: run.step, advertiser, notice: 'KS_OTHER_ZONE' } };
    }
    if (eligibility === 'moves' && !staysAsItIs(request))
      await runs.move(run.id, zoneFor(run.id, request.visitor.zone), request.by, at);
    return depart(run, request, at);
  }

  /** Whether there is a key for whoever asks. A key of this very browser's run follows it to its new zone. */
  async function hasKey(request: StartRequest, at: number): Promise<boolean> {
    const { appId, visitor, by } = request;
    const key = pickKey(await keys.listActive(appId, pseudonyms.hwid(visitor.hwid), at), askerOf(request));
    if (!key || key.expiresAt - at <= limits.renewalMs) return false;
    if (key.runId === null || key.zone === 'same') return key.zone === 'same';

    if (staysAsItIs(request)) return key.zone === 'moves';
    return key.zone === 'moves' && (await runs.move(key.runId, zoneFor(key.runId, visitor.zone), by, at)) !== undefined;
  }

  return {
    async start(request: StartRequest): Promise<StartResult> {
      const at = now();
      const { appId, step, by } = request;
      const hwidHmac = pseudonyms.hwid(request.visitor.hwid);
      const cooldown = await eligibility.findCooldown(appId, hwidHmac, by, at);
      if (cooldown) return { to: 'page', stop: { page: 'bypass', ...cooldown } };

      const open = pickRun(await runs.listOpen(appId, hwidHmac, at), askerOf(request));
      const isGivenUp = open && request.run === 'new' && matchZone(open, askerOf(request)) === 'other';
      if (open && !isGivenUp) return goOn(open, request, at);

      if (await hasKey(request, at)) return { to: 'page', stop: { page: 'getkey' } };
      const beginning = { ...beginningOf(request), ...(isGivenUp && { run: 'new' as const }) };
      if (step !== undefined && step !== 1) return { to: 'page', stop: beginning };

      const opened = await openRun(request, at);
      if (opened === 'no pass') return { to: 'page', stop: { ...beginning, notice: 'KS_CAPTCHA' } };
      if ('limitedUntil' in opened)
        return { to: 'page', stop: { ...beginning, notice: 'KS_LIMIT', until: opened.limitedUntil } };
      return goOn(opened, request, at);
    },
  };
}

/** Where a run begins, with the advertiser that was chosen for it; the default one needs no word. */
function beginningOf({ appId, advertiser }: StartRequest) {
  const chosen = pickAdvertiser(appId, 1, advertiser);
  return chosen === DEFAULT_ADVERTISER ? BEGINNING : { ...BEGINNING, advertiser: chosen };
}

/** Whether the visitor wants nothing moved to the zone that they bring. */
function staysAsItIs({ run }: StartRequest): boolean {
  return run === 'keep' || run === 'stay';
}

function standsAt(run: RunRow, step: number | undefined): boolean {
  return step === undefined || step === run.step;
}
