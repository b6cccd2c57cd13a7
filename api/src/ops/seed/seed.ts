import { ADVERTISER_IDS } from '@app/contracts/key-system';
import { enableAdvertiser } from '#api/product/advertisers/enable-advertiser.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { eraseDevices } from '#api/product/devices/erase-devices.ts';
import { destinationUrl } from '#api/product/key-system/destinations.ts';
import { SCENARIOS, SEEDER, type Scenario } from './scenarios.ts';
import { createStage, type StageDeps } from './stage.ts';

/** The device of a scenario. Each scenario has its own, so that several can be viewed side by side. */
export function visitorOf(name: string): { hwid: string; zone: string } {
  return { hwid: `seed-${name}`, zone: 'seed-zone' };
}

/**
 * Puts a scenario's device into its state, whatever it was in before, and turns every advertiser on.
 * @returns the address of the page that shows the state; undefined when there is no such scenario
 */
export async function seed(deps: StageDeps, name: string): Promise<string | undefined> {
  const scenario = Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined;
  if (!scenario) return undefined;

  const visitor = visitorOf(name);
  const stage = createStage(deps, scenario.app, visitor.hwid, visitor.zone);
  const act = { by: SEEDER, at: deps.now() };
  const before = await createDevicesRepository(deps.db).findAll(stage.hwidHmac);
  await eraseDevices(deps, before, act);
  for (const id of ADVERTISER_IDS) await enableAdvertiser(deps, id, true, act);

  const path = await scenario.prepare(stage);
  return `${deps.baseUrl}${path ?? destinationUrl(scenario.app, scenario.destination, visitor)}`;
}

/** The usage of the command, with all scenarios. */
export function listScenarios(): string {
  const entries: [string, Scenario][] = Object.entries(SCENARIOS);
  return ['npm run seed -- <scenario>', '', ...entries.map(([name, { says }]) => `  ${name.padEnd(17)} ${says}`)].join(
    '\n',
  );
}
