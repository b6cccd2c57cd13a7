import type { AppId } from '@app/contracts/key-system';
import type { DevicesRepository } from '#api/features/devices/devices.repository.ts';
import type { ClientIdentity } from '#api/features/devices/client-identity.ts';
import type { Limits } from './limits.ts';
import type { RunsRepository } from './runs.repository.ts';
import { cooldownOf, type Cooldown } from './eligibility.ts';
import type { StrikesRepository } from './strikes.repository.ts';

interface EligibilityDeps {
  devices: DevicesRepository;
  strikes: StrikesRepository;
  runs: RunsRepository;
  limits: Limits;
}

export type EligibilityService = ReturnType<typeof createEligibilityService>;

/** Whether somebody may go on with a device. */
export function createEligibilityService({ devices, strikes, runs, limits }: EligibilityDeps) {
  return {
    async findCooldown(appId: AppId, hwidHmac: string, client: ClientIdentity, at: number): Promise<Cooldown | null> {
      const device = await devices.find(appId, hwidHmac);
      const recent = device ? await strikes.listSince(device.id, at - limits.strikes.windowMs) : [];
      return cooldownOf(device, recent, client, limits.strikes, at);
    },

    /** How much dearer a captcha is: many people share a carrier's network, so a busy one pays more rather than being shut out. */
    async findCaptchaCostFactor(client: ClientIdentity, at: number): Promise<number> {
      const starts = await runs.countFromNetwork(client, at);
      return starts >= limits.networkStartsPerHour.soft ? limits.captchaCostFactor : 1;
    },
  };
}
