import type { LoadReport } from '@app/contracts/page-reports';
import { releaseUrl } from '@app/contracts/release';
import { SHELL, type Unit } from '@app/contracts/unit';
import type { Request } from 'express';
import { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { holderOf, networkOf } from '#api/foundation/visitors/client-identity.ts';
import type { Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import type { WebhookSources } from '#api/foundation/webhooks/webhook-sender.ts';
import type { ReleaseSelection } from '#api/delivery/serving/release-selection.ts';
import type { Registry } from '#api/delivery/registry/registry.ts';
import { createChannelsRepository } from '#api/delivery/registry/registry.repository.ts';
import { haltCanary } from '#api/delivery/channels/channel-changes.ts';
import { createLoadReportsRepository, type Event, type HolderCounts } from './load-reports.repository.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How many reports are kept in memory, and how many of them a turn writes. Each needs two HMACs and a row. */
const MAX_ENTRIES = 20_000;
const BATCH_SIZE = 500;

interface NetworkReport extends Event {
  address: string;
  reason?: LoadReport['failure'];
}

interface Deps {
  db: Db;
  registry: Registry;
  pseudonyms: Pick<Pseudonyms, 'networks' | 'holder'>;
  addressOf: (req: Request) => string;
  warn: (halted: { unit: Unit; version: string; reason: string }) => void;
  now: () => number;
}

export type CanaryWatch = ReturnType<typeof createCanaryWatch>;

/** Counts networks, and halts canaries that fail too often. Requests only note reports in memory; turns write them. */
export function createCanaryWatch({ db, registry, pseudonyms, addressOf, warn, now }: Deps) {
  const reports = createLoadReportsRepository(db);
  /** The canaries with the networks that got them, and the reports that are not written yet. */
  const known = new Set<string>();
  const unwritten = new Map<string, NetworkReport>();
  const failing = new Map<string, Event>();
  let [revision, day] = [-1, -1];
  let running: Promise<void> | undefined;

  function note(report: NetworkReport): void {
    forgetOld();
    const key = `${report.kind} ${report.unit}@${report.version} ${networkOf(report.address)}`;
    if (known.has(key) || unwritten.has(key) || unwritten.size >= MAX_ENTRIES) return;

    // A failure is noted again, so that it counts as one of today.
    if (report.kind === 'served') known.add(key);
    unwritten.set(key, report);
  }

  /** A canary that is opened again is counted from the start, and reports from before yesterday no longer count. */
  function forgetOld(): void {
    const [newRevision, today] = [registry.snapshot().revision, Math.floor(now() / DAY_MS)];
    if (newRevision !== revision || today !== day || known.size >= MAX_ENTRIES) known.clear();
    [revision, day] = [newRevision, today];
  }

  async function write(): Promise<void> {
    const at = now();
    const some = [...unwritten].slice(0, BATCH_SIZE);
    for (const [name, event] of new Map(some.map(([, report]) => [reportKey(report), report]))) {
      const own = some.filter(([, report]) => reportKey(report) === name);
      const release = `${event.unit}@${event.version}`;
      const networks = own.map(
        ([, { address }]) =>
          [...pseudonyms.networks(networkOf(address), at), pseudonyms.holder(release, holderOf(address))] as const,
      );
      try {
        await reports.note(event, networks, at, event.reason);
      } catch (error) {
        // Otherwise the release was removed meanwhile, and its reports would make all later turns fail.
        if (error instanceof DatabaseUnavailable) throw error;
      }
      for (const [key] of own) unwritten.delete(key);
      if (event.kind === 'failed') failing.set(release, event);
    }
  }

  async function judgeFailing(): Promise<void> {
    for (const [release, { unit, version }] of failing) {
      const reason = await judgeCanary({ db }, unit, version, now());
      failing.delete(release);
      if (reason === undefined) continue;

      warn({ unit, version, reason });
      await registry.refresh();
    }
  }

  /** Notes that a page of a unit was sent. The page surely loads this unit and the shell. */
  function noteSent(req: Request, { units }: ReleaseSelection, owner: Unit): void {
    for (const unit of new Set([owner, SHELL])) {
      const selected = units.get(unit);
      if (selected?.source === 'canary')
        note({ kind: 'served', unit, version: selected.release.version, address: addressOf(req) });
    }
  }

  /** Notes that a browser loads the entry of a canary within a page. Returns whether the request is for one. */
  function noteLoad(req: Request): boolean {
    let isEntry = false;
    for (const [unit, { canary }] of registry.snapshot().units)
      if (canary && req.baseUrl + req.path === releaseUrl(canary.release, canary.release.entry.file)) {
        isEntry = true;
        note({ kind: 'served', unit, version: canary.release.version, address: addressOf(req) });
      }
    return isEntry;
  }

  /** Turns never overlap. */
  async function turn(): Promise<void> {
    await running?.catch(() => undefined);
    // All callers that waited share the next turn.
    running ??= write()
      .then(judgeFailing)
      .finally(() => (running = undefined));
    await running;
  }

  /** @returns false when that release was never published */
  async function report(req: Request, { unit, version, failure }: LoadReport): Promise<boolean> {
    if (!(await registry.find(unit, version))) return false;

    const address = addressOf(req);
    note({ kind: 'failed', unit, version, address, reason: failure });
    if (registry.snapshot().units.get(unit)?.canary?.release.version !== version) return true;

    // Its files may have come from a shared cache.
    note({ kind: 'served', unit, version, address });
    await turn();
    return true;
  }

  return { noteSent, noteLoad, turn, report };
}

function reportKey({ kind, unit, version, reason }: NetworkReport): string {
  return `${kind} ${unit}@${version} ${reason ?? ''}`;
}

/** A forger has one report in each network that they can send from, and few can send from five. */
const MIN_FAILED_NETWORKS = 5;

/** As how many networks all of one holder count: who can send from two can often send from any number. */
const MAX_NETWORKS_PER_HOLDER = 2;

/** In what part of its networks a canary has to fail: a handful of them cannot halt a widely served one. */
const MIN_FAILED_SHARE = 0.2;

/** How many networks are looked at: each takes time, and these say the part well enough. */
const MAX_COUNTED = 2000;

const WATCH_ACTOR = 'canary watch';

/**
 * @param at reports from before the canary was opened, or from before yesterday (UTC), do not count: networks had
 *   other pseudonyms then, so that one could count twice
 * @returns why it was halted
 */
async function judgeCanary({ db }: { db: Db }, unit: string, version: string, at: number): Promise<string | undefined> {
  const channel = (await createChannelsRepository(db).find(unit))?.channel;
  if (channel?.canary !== version) return undefined;

  const since = Math.max(channel.canarySince ?? 0, (Math.floor(at / DAY_MS) - 1) * DAY_MS);
  const reports = createLoadReportsRepository(db);
  // Where the stable release fails as well, the browser is the cause: an extension, or a missing API.
  const holders = await reports.countByHolder({ unit, version }, channel.stable, since, MAX_COUNTED);
  const sum = (count: (holder: HolderCounts) => number) => holders.reduce((total, each) => total + count(each), 0);
  if (sum(({ failed }) => Math.min(failed, MAX_NETWORKS_PER_HOLDER)) < MIN_FAILED_NETWORKS) return undefined;

  const [failed, served] = [sum((holder) => holder.failed), sum((holder) => holder.served)];
  const weigh = (holder: HolderCounts) => Math.min(holder.served, MAX_NETWORKS_PER_HOLDER);
  const failedWeight = sum((holder) => (weigh(holder) * holder.failed) / holder.served);
  if (failed < MIN_FAILED_SHARE * served || failedWeight < MIN_FAILED_SHARE * sum(weigh)) return undefined;

  const reason = `It failed in ${String(failed)} of the ${String(served)} networks that got it`;
  const halt = { reason, version, networks: { failed, served }, isAutomatic: true };
  const { outcome } = await haltCanary({ db }, unit, halt, { by: WATCH_ACTOR, at });
  return outcome === 'moved' ? reason : undefined;
}

/** What webhooks tell of a canary that was halted, by the canary watch or by a person. */
export const CANARY_WEBHOOK_SOURCES: WebhookSources = {
  'canary.halted': {
    kind: 'channel',
    code: 'halted',
    scope: 'unit',
    describe({ detail: { unit, version, reason, by, failed, served } }) {
      const networks = failed === undefined ? null : { failed: Number(failed), served: Number(served) };
      return Promise.resolve({
        unit: String(unit),
        version: String(version),
        reason: String(reason),
        by: String(by),
        networks,
      });
    },
  },
};
