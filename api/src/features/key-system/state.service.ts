import { STEPS_PER_SERIES, type AppId } from '@app/contracts/key-system';
import type { KeyFinding, RunState } from '@app/contracts/key-system-schemas';
import type { KeyRow, RunRow } from '#api/db/schema.ts';
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
export function createStateService({ apps, runs, attempts, keys, advertisers, standing, limits, identity, now }: StateDeps) {
  async function presentRun(run: RunRow, at: number): Promise<NonNullable<RunState['run']>> {
    const verified = await attempts.listVerified(run.id);
    const proofs = new Map((await advertisers.list()).map(({ id, proof }) => [id, proof]));

    return {
      step: run.step,
      of: run.stepsRequired,
      series: run.step <= STEPS_PER_SERIES ? 1 : 2,
      completed: verified.map(({ step, advertiserId, verifiedAt }) => ({ step, advertiser: advertiserId, at: verifiedAt ?? at, proof: proofs.get(advertiserId) ?? '' })),
      waiting: await attempts.isWaiting(run, at),
      expiresAt: run.expiresAt,
    };
  }

  const isRenewable = ({ expiresAt }: KeyRow, at: number) => expiresAt - at <= limits.renewalMs;

  return {
    async read(appId: AppId, { hwid }: Visitor, by: Requester): Promise<RunState> {
      const at = now();
      const hwidHmac = identity.hwid(hwid);
      const run = await runs.findOpen(appId, hwidHmac, at);
      const key = await keys.findLatest(appId, hwidHmac);

      return {
        app: appId,
        run: run ? await presentRun(run, at) : null,
        key: key ? { active: key.expiresAt > at, expiresAt: key.expiresAt, renewable: isRenewable(key, at) } : null,
        cooldown: await standing.findCooldown(appId, hwidHmac, by, at),
        advertisers: (await advertisers.list()).map(({ id, ok }) => ({ id, ok })),
        stepsRequired: stepsRequired(await apps.get(appId)),
        now: at,
      };
    },

    /** What the app hears that waits for a key: why the device has to wait, or how far its open run is. */
    async findProgress(appId: AppId, { hwid }: Visitor, by: Requester): Promise<Exclude<KeyFinding, { status: 'active' }>> {
      const at = now();
      const hwidHmac = identity.hwid(hwid);
      const cooldown = await standing.findCooldown(appId, hwidHmac, by, at);
      if (cooldown) return { status: 'blocked', ...cooldown };

      const run = await runs.findOpen(appId, hwidHmac, at);
      return run ? { status: 'in_progress', step: run.step, of: run.stepsRequired } : { status: 'none' };
    },
  };
}
