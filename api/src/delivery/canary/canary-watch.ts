import type { LoadReport } from '@app/contracts/load-report';
import { SHELL, type Unit } from '@app/contracts/release';
import type { Request } from 'express';
import { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import type { Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import type { Choice } from '#api/delivery/serving/visitor-choice.ts';
import type { Registry } from '#api/delivery/registry/registry.ts';
import { createChannelsRepository } from '#api/delivery/registry/channels.repository.ts';
import { haltCanary } from '#api/delivery/channels/channel-changes.ts';
import { createLoadReportsRepository, type Event } from './load-reports.repository.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How many networks are kept in memory, and how many of them a turn writes. Each needs two HMACs and a row. */
const MOST_KEPT = 20_000;
const BATCH = 500;

/** Something that happened with a version in one network. */
interface Voice extends Event {
  network: string;
  /** What failed. */
  reason?: LoadReport['failure'];
}

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
 * Learns in which networks canaries are served and in which they fail, and halts those that fail too often. Pages and
 * reports only note their network in memory; turns write, one after the other.
 */
export function createCanaryWatch({ db, registry, pseudonyms, networkOf, warn, now }: Deps) {
  const reports = createLoadReportsRepository(db);
  /** Canaries and the networks that got them, and what is not written yet. */
  const known = new Set<string>();
  const unwritten = new Map<string, Voice>();
  let [revision, day] = [-1, -1];
  let running: Promise<void> | undefined;

  function note(voice: Voice): void {
    forgetOld();
    const key = `${voice.kind} ${voice.unit}@${voice.version} ${voice.network}`;
    if (known.has(key) || unwritten.has(key) || unwritten.size >= MOST_KEPT) return;

    // A failure is noted again, so that it counts as one of today.
    if (voice.kind === 'served') known.add(key);
    unwritten.set(key, voice);
  }

  /** A canary that is opened again counts anew, and what was noted on the day before yesterday counts no more. */
  function forgetOld(): void {
    const [newRevision, today] = [registry.snapshot().revision, Math.floor(now() / DAY_MS)];
    if (newRevision !== revision || today !== day || known.size >= MOST_KEPT) known.clear();
    [revision, day] = [newRevision, today];
  }

  async function write(): Promise<void> {
    const at = now();
    const some = [...unwritten].slice(0, BATCH);
    for (const [name, event] of new Map(some.map(([, voice]) => [nameOf(voice), voice]))) {
      const own = some.filter(([, voice]) => nameOf(voice) === name);
      const networks = own.map(([, { network }]) => pseudonyms.networks(network, at));
      try {
        await reports.note(event, networks, at, event.reason);
      } catch (error) {
        // Otherwise the release was removed meanwhile, and would keep all later turns from their work.
        if (error instanceof DatabaseUnavailable) throw error;
      }
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
    await write();
    await judgeAll();
  }

  /** Notes that a page of a unit was sent. The page loads the unit and the shell, and perhaps no other. */
  function noteSent(req: Request, { units }: Choice, owner: Unit): void {
    for (const unit of new Set([owner, SHELL])) {
      const chosen = units.get(unit);
      if (chosen?.source === 'canary')
        note({ kind: 'served', unit, version: chosen.release.version, network: networkOf(req) });
    }
  }

  /**
   * Notes that a browser asks for the entry of a canary: it may have come there by a link within a page.
   * @param req its path is `/<unit>/<version>/<file>`
   */
  function noteLoad(req: Request): void {
    for (const [unit, { canary }] of registry.snapshot().units)
      if (canary && req.path === `/${unit}/${canary.release.version}/${canary.release.entry.file}`)
        note({ kind: 'served', unit, version: canary.release.version, network: networkOf(req) });
  }

  /** Writes down what was noted, and halts canaries that fail too often. Turns never overlap. */
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

    const network = networkOf(req);
    note({ kind: 'failed', unit, version, network, reason: failure });
    if (registry.snapshot().units.get(unit)?.canary?.release.version !== version) return true;

    // Its files may have come from a cache between us.
    note({ kind: 'served', unit, version, network });
    await turn();
    return true;
  }

  return { noteSent, noteLoad, turn, report };
}

/** What voices have in common that are written together. */
function nameOf({ kind, unit, version, reason }: Voice): string {
  return `${kind} ${unit}@${version} ${reason ?? ''}`;
}

/**
 * So many networks have to report a failure. Whoever forges reports has one voice in each network that they can send
 * from, and few people have five.
 */
const LEAST_FAILED = 5;

/**
 * The canary is halted where it failed in this part of the networks that got it. A widely served canary cannot be
 * halted by a handful of networks. A release that works loses far fewer loads to bad connections.
 */
const FAILED_PART = 0.2;

/** Counting ends here: it takes a moment for each network, and a canary that fails in so many is halted anyway. */
const MOST_COUNTED = 100_000;

/** In the audit and the listing, for a halt that nobody ordered. */
const WATCH = 'canary watch';

/**
 * Halts a canary that fails in too many networks.
 * @param at epoch milliseconds. What happened before the canary began, or before yesterday (UTC), does not count:
 *   networks have other names by then, so one could count twice
 * @returns why it was halted; undefined when it goes on
 */
export async function judgeCanary(
  { db }: { db: Db },
  unit: string,
  version: string,
  at: number,
): Promise<string | undefined> {
  const channel = (await createChannelsRepository(db).find(unit))?.channel;
  if (channel?.canary !== version) return undefined;

  const reports = createLoadReportsRepository(db);
  const since = Math.max(channel.canarySince ?? 0, (Math.floor(at / DAY_MS) - 1) * DAY_MS);
  // Where the stable release fails as well, the browser is the reason: an extension, or a function that it has not.
  const failed = await reports.count({ unit, version, kind: 'failed' }, since, MOST_COUNTED, channel.stable);
  if (failed < LEAST_FAILED) return undefined;

  const enough = Math.floor(failed / FAILED_PART);
  const served = await reports.count({ unit, version, kind: 'served' }, since, enough + 1);
  if (served > enough) return undefined;

  const reason = `It failed in ${String(failed)} of the ${String(served)} networks that got it`;
  const { outcome } = await haltCanary({ db }, unit, { reason, version, isAutomatic: true }, { by: WATCH, at });
  return outcome === 'moved' ? reason : undefined;
}
