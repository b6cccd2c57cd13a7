import { SHELL, type Release, type Unit } from '@app/contracts/release';
import { findPinned } from '#api/delivery/serving/choose-pinned.ts';
import { findMisfit } from '#api/delivery/registry/find-misfits.ts';
import type { Registry } from '#api/delivery/registry/registry.ts';

type Pins = Readonly<Record<Unit, string>>;

/**
 * Finds why pins cannot be kept: a version that nobody has published, or two releases that a page with these pins could
 * put together although they do not fit.
 * @returns a sentence; undefined when nothing is wrong
 */
export async function findPinProblem(
  registry: Pick<Registry, 'snapshot' | 'find'>,
  pins: Pins,
): Promise<string | undefined> {
  const pinned = new Map<Unit, Release>();
  for (const [unit, pin] of Object.entries(pins)) {
    const release = await findPinned(registry, unit, pin);
    if (!release) return `${unit}@${pin} is not there.`;
    pinned.set(unit, release);
  }

  const { units } = registry.snapshot();
  const served = (unit: Unit): Release[] => {
    const pin = pinned.get(unit);
    if (pin) return [pin];
    const { stable, canary } = units.get(unit) ?? {};
    return [stable, canary?.release].filter((release) => release !== undefined);
  };
  for (const shell of served(SHELL))
    for (const unit of new Set([...units.keys(), ...pinned.keys()])) {
      if (unit === SHELL || !(pinned.has(SHELL) || pinned.has(unit))) continue;
      for (const remote of served(unit)) {
        const misfit = findMisfit(shell, remote);
        if (misfit) return `${misfit}.`;
      }
    }
  return undefined;
}
