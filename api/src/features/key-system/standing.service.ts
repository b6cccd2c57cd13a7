import type { AppId } from '@app/contracts/key-system';
import type { DevicesRepository } from '#api/features/devices/devices.repository.ts';
import type { Requester } from '#api/features/devices/requester.ts';
import type { Limits } from './limits.ts';
import type { RunsRepository } from './runs.repository.ts';
import { cooldownOf, type Cooldown } from './standing.ts';
import type { StrikesRepository } from './strikes.repository.ts';

interface StandingDeps {
  devices: DevicesRepository;
  strikes: StrikesRepository;
  runs: RunsRepository;
  limits: Limits;
}

export type StandingService = ReturnType<typeof createStandingService>;

/** Whether somebody may go on with a device. */
export function createStandingService({ devices, strikes, runs, limits }: StandingDeps) {
  return {
    async findCooldown(appId: AppId, hwidHmac: string, requester: Requester, at: number): Promise<Cooldown | null> {
      const device = await devices.find(appId, hwidHmac);
      const recent = device ? await strikes.listSince(device.id, at - limits.strikes.windowMs) : [];
      return cooldownOf(device, recent, requester, limits.strikes, at);
    },

    /** How much dearer a captcha is: many people share a carrier's network, so a busy one pays more rather than being shut out. */
    async findCaptchaCostFactor(requester: Requester, at: number): Promise<number> {
      const starts = await runs.countFromNetwork(requester, at);
      return starts >= limits.networkStartsPerHour.soft ? limits.captchaCostFactor : 1;
    },
  };
}
