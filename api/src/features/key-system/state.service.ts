import { STEPS_PER_SERIES, type AppId } from '@app/contracts/key-system';
import type { KeyFinding, RunState } from '@app/contracts/key-system-schemas';
import type { RunRow } from '#api/db/schema.ts';
import type { AdvertisersService } from '#api/features/advertisers/advertisers.service.ts';
import type { Identity } from '#api/features/devices/identity.ts';
import type { Requester } from '#api/features/devices/requester.ts';
import type { Visitor } from '#api/features/devices/visitor.ts';
import type { KeysRepository } from '#api/features/keys/keys.repository.ts';
import { stepsRequired, type AppsRepository } from './apps.repository.ts';
import type { AttemptsRepository } from './attempts.repository.ts';
import type { Limits } from './limits.ts';
import type { RunsRepository } from './runs.repository.ts';
import type { StandingService } from './standing.service.ts';
import { pickKey, pickRun, zoneStandingOf, type Asker } from './zones.ts';
import { isLeftBy } from './standing.ts';

interface StateDeps {
  apps: AppsRepository;
  runs: RunsRepository;
  attempts: AttemptsRepository;
  keys: KeysRepository;
  advertisers: AdvertisersService;
  standing: StandingService;
  limits: Pick<Limits, 'renewalMs'>;
  identity: Identity;
  now: () => number;
}

export type StateService = ReturnType<typeof createStateService>;

/** Tells the pages where a device stands. It reads only. */
export function createStateService({
  apps,
  runs,
  attempts,
  keys,
  advertisers,
  standing,
  limits,
  identity,
  now,
}: StateDeps) {
  async function presentRun(run: RunRow, asker: Asker, at: number): Promise<NonNullable<RunState['run']>> {
    const verified = await attempts.listVerified(run.id);
    const proofs = new Map((await advertisers.list()).map(({ id, proof }) => [id, proof]));

    return {
      step: run.step,
      of: run.stepsRequired,
      series: run.step <= STEPS_PER_SERIES ? 1 : 2,
      completed: verified.map(({ step, advertiserId, verifiedAt }) => ({
        step,
        advertiser: advertiserId,
        at: verifiedAt ?? at,
        proof: proofs.get(advertiserId) ?? '',
      })),
      waiting: await attempts.isWaiting(run, at),
      zone: zoneStandingOf(run, asker),
      own: isLeftBy(run, asker.by),
      expiresAt: run.expiresAt,
    };
  }

  /** The working key that matters to whoever asks, else the one that worked last. */
  async function findKey(appId: AppId, hwidHmac: string, asker: Asker, at: number): Promise<RunState['key']> {
    const key = pickKey(await keys.listActive(appId, hwidHmac, at), asker);
    if (key)
      return {
        active: true,
        expiresAt: key.expiresAt,
        renewable: key.expiresAt - at <= limits.renewalMs,
        zone: key.zone,
      };

    const last = await keys.findLatest(appId, hwidHmac);
    return last ? { active: false, expiresAt: last.expiresAt, renewable: true, zone: 'same' } : null;
  }

  return {
    async read(appId: AppId, { hwid, zone }: Visitor, by: Requester): Promise<RunState> {
      const at = now();
      const hwidHmac = identity.hwid(hwid);
      const asker = { zoneHmac: identity.zone(zone), by };
      const run = pickRun(await runs.listOpen(appId, hwidHmac, at), asker);

      return {
        app: appId,
        run: run ? await presentRun(run, asker, at) : null,
        key: await findKey(appId, hwidHmac, asker, at),
        cooldown: await standing.findCooldown(appId, hwidHmac, by, at),
        advertisers: (await advertisers.list()).map(({ id, ok }) => ({ id, ok })),
        stepsRequired: stepsRequired(await apps.get(appId)),
        now: at,
      };
    },

    /** What the app hears that waits for a key: why the device has to wait, or how far its open run is. */
    async findProgress(
      appId: AppId,
      { hwid, zone }: Visitor,
      by: Requester,
    ): Promise<Exclude<KeyFinding, { status: 'active' }>> {
      const at = now();
      const hwidHmac = identity.hwid(hwid);
      const cooldown = await standing.findCooldown(appId, hwidHmac, by, at);
      if (cooldown) return { status: 'blocked', ...cooldown };

      const run = pickRun(await runs.listOpen(appId, hwidHmac, at), { zoneHmac: identity.zone(zone), by });
      return run ? { status: 'in_progress', step: run.step, of: run.stepsRequired } : { status: 'none' };
    },
  };
}
