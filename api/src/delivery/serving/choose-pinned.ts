import { SHELL, type Release, type Unit } from '@app/contracts/release';
import { chooseReleases, type Choice, type Wishes } from './choose-releases.ts';
import { findMisfit } from '#api/delivery/registry/find-misfits.ts';
import type { PinSession } from './pin-session.ts';
import type { Registry } from '#api/delivery/registry/registry.ts';
import type { Snapshot } from '#api/delivery/registry/snapshot.ts';

/**
 * Chooses what somebody with pins gets. A pin that names nothing, or a release that does not fit the shell, is dropped,
 * and the choice says so. A pinned shell has to fit every other unit that would meet it.
 */
export async function choosePinned(
  registry: Registry,
  snapshot: Snapshot,
  wishes: Wishes,
  { pins, faults, until }: PinSession,
): Promise<Choice> {
  const pinned = new Map<Unit, Release>();
  const notices: string[] = [];
  for (const [unit, wanted] of Object.entries(pins)) {
    // The database may be away; then the page comes without the pin.
    const release = await findPinned(registry, unit, wanted).catch(() => undefined);
    if (release) pinned.set(unit, release);
    else notices.push(`${unit}@${wanted} is not there`);
  }

  for (;;) {
    const choice = chooseReleases(snapshot, { ...wishes, pins: pinned });
    const misfit = findBlamed(choice, pinned);
    if (!misfit) return { ...choice, qa: { faults, told: { pins, until, ...sayAll(notices) } } };
    pinned.delete(misfit.unit);
    notices.push(misfit.problem);
  }
}

/**
 * The release that a pin names at this moment. Undefined when it names none, such as a canary that has ended.
 * @param wanted a version, `stable` or `canary`
 */
export async function findPinned(
  registry: Pick<Registry, 'snapshot' | 'find'>,
  unit: Unit,
  wanted: string,
): Promise<Release | undefined> {
  const served = registry.snapshot().units.get(unit);
  if (wanted === 'stable') return served?.stable;
  if (wanted === 'canary') return served?.canary?.release;
  return registry.find(unit, wanted);
}

/** The first pinned release that breaks the host API with what is chosen beside it. */
function findBlamed(
  { units }: Choice,
  pinned: ReadonlyMap<Unit, Release>,
): { unit: Unit; problem: string } | undefined {
  const shell = units.get(SHELL)?.release;
  if (!shell) return undefined;

  for (const [unit, { release }] of units) {
    if (unit === SHELL) continue;
    const blamed = pinned.has(unit) ? unit : pinned.has(SHELL) ? SHELL : undefined;
    const problem = blamed && findMisfit(shell, release);
    if (problem) return { unit: blamed, problem };
  }
  return undefined;
}

function sayAll(notices: readonly string[]): { notice?: string } {
  return notices.length > 0 ? { notice: `${notices.join('. ')}.` } : {};
}
