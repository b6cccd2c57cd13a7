import type { LoadReport } from '@app/contracts/load-report';
import { SHELL, type Unit } from '@app/contracts/release';
import type { Request } from 'express';
import type { Db } from '#api/db/schema.ts';
import type { Pseudonyms } from '#api/features/devices/pseudonyms.ts';
import type { Choice } from './choose-releases.ts';
import { judgeCanary } from './judge-canary.ts';
import { createLoadReportsRepository } from './load-reports.repository.ts';
import type { Registry } from './registry.ts';

/** How many networks are kept in memory, and how many of them a turn writes. Each needs two HMACs and a row. */
const MOST_KEPT = 20_000;
const BATCH = 500;

interface Deps {
  db: Db;
  registry: Registry;
  pseudonyms: Pick<Pseudonyms, 'networks'>;
  networkOf: (req: Request) => string;
  /** Called with each canary that was halted. */
  warn: (halted: { unit: Unit; version: string; reason: string }) => void;
  now: () => number;
}

export type CanaryWatch = ReturnType<typeof createCanaryWatch>;

/**
 * Learns in which networks canaries are served and in which they fail, and halts those that fail too often. A page only
 * notes its network in memory; turns in the background write.
 */
export function createCanaryWatch({ db, registry, pseudonyms, networkOf, warn, now }: Deps) {
  const reports = createLoadReportsRepository(db);
  /** Canaries and the networks that got them, and which of these are not written yet. */
  const known = new Set<string>();
  const unwritten = new Map<string, { unit: Unit; version: string; network: string }>();
  let revision = -1;
  let running: Promise<void> | undefined;

  function forgetAfterMove(): void {
    const snapshot = registry.snapshot();
    // A canary that is opened again counts anew.
    if (snapshot.revision !== revision || known.size >= MOST_KEPT) known.clear();
    revision = snapshot.revision;
  }

  async function writeServed(): Promise<void> {
    const at = now();
    const some = [...unwritten].slice(0, BATCH);
    for (const { unit, version } of new Map(some.map(([, met]) => [`${met.unit}@${met.version}`, met])).values()) {
      const own = some.filter(([, met]) => met.unit === unit && met.version === version);
      const networks = own.map(([, { network }]) => pseudonyms.networks(network, at));
      await reports.note({ unit, version, kind: 'served' }, networks, at);
      for (const [key] of own) unwritten.delete(key);
    }
  }

  async function judgeAll(): Promise<void> {
    for (const [unit, { canary }] of registry.snapshot().units) {
      if (!canary) continue;
      const { version } = canary.release;
      const reason = await judgeCanary({ db }, unit, version, now());
      if (reason === undefined) continue;

      warn({ unit, version, reason });
      await registry.refresh();
    }
  }

  async function work(): Promise<void> {
    forgetAfterMove();
    await writeServed();
    await judgeAll();
  }

  /** Notes that a page of a unit was sent. The page loads the unit and the shell, and perhaps no other. */
  function noteSent(req: Request, { units }: Choice, owner: Unit): void {
    for (const unit of new Set([owner, SHELL])) {
      const chosen = units.get(unit);
      if (chosen?.source !== 'canary') continue;

      const { version } = chosen.release;
      const network = networkOf(req);
      const key = `${unit}@${version} ${network}`;
      if (known.has(key) || unwritten.size >= MOST_KEPT) continue;
      known.add(key);
      unwritten.set(key, { unit, version, network });
    }
  }

  /** Writes down who got canaries, and halts those that fail too often. Turns never overlap. */
  async function turn(): Promise<void> {
    await running?.catch(() => undefined);
    // Whoever waited with others shares the next turn with them.
    running ??= work().finally(() => (running = undefined));
    await running;
  }

  /**
   * Counts a report that a release has failed in a page.
   * @returns false when nobody published that release
   */
  async function report(req: Request, { unit, version, failure }: LoadReport): Promise<boolean> {
    if (!(await registry.find(unit, version))) return false;

    const at = now();
    const network = pseudonyms.networks(networkOf(req), at);
    await reports.note({ unit, version, kind: 'failed' }, [network], at, failure);
    if (registry.snapshot().units.get(unit)?.canary?.release.version !== version) return true;

    // Also a visitor who came from another page has got it.
    await reports.note({ unit, version, kind: 'served' }, [network], at);
    await turn();
    return true;
  }

  return { noteSent, turn, report };
}
