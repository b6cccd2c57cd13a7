import { STEPS_PER_SERIES, type AppId } from '@app/contracts/key-system';
import type { KeyFinding, RunState } from '@app/contracts/key-system-schemas';
import type { RunRow } from '#api/db/schema.ts';
import type { AdvertisersService } from '#api/features/advertisers/advertisers.service.ts';
import type { Pseudonyms } from '#api/features/devices/pseudonyms.ts';
import type { ClientIdentity } from '#api/features/devices/client-identity.ts';
import type { DeviceClaim as Visitor } from '#api/features/devices/device-claim.ts';
import type { KeysRepository } from '#api/features/keys/keys.repository.ts';
import { stepsRequired, type AppsRepository } from './apps.repository.ts';
import type { AttemptsRepository } from './attempts.repository.ts';
import type { Limits } from './limits.ts';
import type { RunsRepository } from './runs.repository.ts';
import type { EligibilityService } from './eligibility.service.ts';
import { pickKey, pickRun, matchZone, type ZoneClaimant } from './zone-matching.ts';
import { isLeftBy } from './eligibility.ts';

interface StateDeps {
  apps: AppsRepository;
  runs: RunsRepository;
  attempts: AttemptsRepository;
  keys: KeysRepository;
  advertisers: AdvertisersService;
  eligibility: EligibilityService;
  limits: Pick<Limits, 'renewalMs'>;
  pseudonyms: Pseudonyms;
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
  eligibility,
  limits,
  pseudonyms,
  now,
}: StateDeps) {
  async function presentRun(run: RunRow, asker: ZoneClaimant, at: number): Promise<NonNullable<RunState['run']>> {
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
      zone: matchZone(run, asker),
      own: isLeftBy(run, asker.by),
      expiresAt: run.expiresAt,
    };
  }

  /** The working key that matters to whoever asks, else the one that worked last. */
  async function findKey(appId: AppId, hwidHmac: string, asker: ZoneClaimant, at: number): Promise<RunState['key']> {
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
    async read(appId: AppId, { hwid, zone }: Visitor, by: ClientIdentity): Promise<RunState> {
      const at = now();
      const hwidHmac = pseudonyms.hwid(hwid);
      const asker = { zoneHmac: pseudonyms.zone(zone), by };
      const run = pickRun(await runs.listOpen(appId, hwidHmac, at), asker);

      return {
        app: appId,
        run: run ? await presentRun(run, asker, at) : null,
        key: await findKey(appId, hwidHmac, asker, at),
        cooldown: await eligibility.findCooldown(appId, hwidHmac, by, at),
        advertisers: (await advertisers.list()).map(({ id, ok }) => ({ id, ok })),
        stepsRequired: stepsRequired(await apps.get(appId)),
        now: at,
      };
    },

    /** What the app hears that waits for a key: why the device has to wait, or how far its open run is. */
    async findProgress(
      appId: AppId,
      { hwid, zone }: Visitor,
      by: ClientIdentity,
    ): Promise<Exclude<KeyFinding, { status: 'active' }>> {
      const at = now();
      const hwidHmac = pseudonyms.hwid(hwid);
      const cooldown = await eligibility.findCooldown(appId, hwidHmac, by, at);
      if (cooldown) return { status: 'blocked', ...cooldown };

      const run = pickRun(await runs.listOpen(appId, hwidHmac, at), { zoneHmac: pseudonyms.zone(zone), by });
      return run ? { status: 'in_progress', step: run.step, of: run.stepsRequired } : { status: 'none' };
    },
  };
}
