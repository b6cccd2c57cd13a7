import { setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { createPlayer } from '../attack/players/player.ts';
import type { World } from '../attack/world/world.ts';
import { withPostgres } from '../machine/postgres.ts';
import { openSite, playRuns } from './calls.ts';
import { ACTIONS, visit, type Action, type Tally } from './load-visitor.ts';
import { findPostmaster } from './cost.ts';
import { untilRendered } from './pages.ts';
import { familyMs, processorMs, residentKb } from './processors.ts';
import type { Row } from './table.ts';

/** How long begun runs may take to finish when no more visitors arrive. */
const COOLDOWN_MS = 180_000;

/** A captcha costs the server what it costs it in production, and its solver, which is a phone in truth, next to nothing. */
const CAPTCHA = { TEST_CAPTCHA_COST: '1000', TEST_CAPTCHA_ROUNDS: '1' };

/** The priority of this process: visitors come when they come, whatever the server has to do. */
const VISITOR_PRIORITY = -15;

interface Load {
  perMinute: number;
  seconds: number;
}

/**
 * Lets so many visitors a minute arrive at a server with a PostgreSQL of its own, whatever becomes of those before them.
 * Each opens a page and its socket, and plays a run of six steps at a person's pace. A visitor whose run has to wait
 * comes back as the page does. Started by root, the visitors' process goes before the server's: whether they came in time
 * is in the second table.
 * @param print called with the two tables
 */
export function benchLoad(load: Load, print: (title: string, rows: Row[]) => void): Promise<void> {
  return withPostgres(async (postgres) => {
    const site = await openSite({ postgres, settings: CAPTCHA });
    const postmaster = await findPostmaster(site);
    // A server that starts for the first time renders its pages, which is no part of the load.
    for (const path of ['/v5', '/key-system-1']) await untilRendered(site.client.baseUrl + path);
    // Visitors find a server that has long been running.
    await playRuns(site, 100);
    // Only now, because the programs that were started would inherit it.
    if (process.getuid?.() === 0) setPriority(VISITOR_PRIORITY);
    try {
      const { calls, outcome } = await receive(site, load, {
        'server, % of a core': () => processorMs(site.server.pid() ?? 0),
        PostgreSQL: () => familyMs(postmaster),
        'the visitors': () => processorMs(process.pid),
      });
      const arrivals = `${load.perMinute} visitors a minute, for ${load.seconds} s`;
      print(`What visitors asked: ${arrivals}`, calls);
      print(`What became of them: ${arrivals}`, [outcome]);
    } finally {
      await site.close();
    }
  });
}

/** @param processors reads how much processor time each part has used, in milliseconds */
async function receive(
  site: World,
  { perMinute, seconds }: Load,
  processors: Record<string, () => number>,
): Promise<{ calls: Row[]; outcome: Row }> {
  const tallies = Object.fromEntries(
    ACTIONS.map((deed) => [deed, { times: [], waits: 0, failed: new Map() }]),
  ) as unknown as Record<Action, Tally>;
  const begun = { 'began at once': 0, 'began later': 0 };
  const ends = { 'key in hand': 0, 'still waits for a run': 0, 'gave up': 0 };
  const pid = site.server.pid() ?? 0;
  const readAll = () => Object.entries(processors).map(([name, read]) => [name, read()] as const);
  const before = new Map(readAll());
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const closesAt = endsAt + COOLDOWN_MS;
  const visits: Promise<void>[] = [];
  const lateMs: number[] = [];
  let peakKb = 0;

  for (let count = 0; performance.now() < endsAt; count++) {
    const dueAt = startedAt + (count * 60_000) / perMinute;
    if (dueAt > performance.now()) await wait(dueAt - performance.now());
    lateMs.push(performance.now() - dueAt);
    if (count % 500 === 0) peakKb = Math.max(peakKb, residentKb(pid));
    const player = createPlayer(site, { random: site.random, address: addressOf(count) });
    visits.push(
      visit(site, player, {
        tallies,
        isOver: () => performance.now() > closesAt,
        mayBegin: () => performance.now() < endsAt,
        onBegin: (isAtOnce) => void begun[isAtOnce ? 'began at once' : 'began later']++,
      })
        .then((end) => void ends[end]++)
        .catch(() => void ends['gave up']++),
    );
  }
  const arrived = visits.length;
  const ms = performance.now() - startedAt;
  const shares = readAll().map(
    ([name, used]) => [name, Math.round(((used - (before.get(name) ?? 0)) / ms) * 100)] as const,
  );
  await Promise.all(visits);

  return {
    calls: ACTIONS.map((deed) => rowOf(deed, tallies[deed])),
    outcome: {
      visitors: arrived,
      'late by, p99 ms': Math.round(lateMs.toSorted((a, b) => a - b)[Math.floor(lateMs.length * 0.99)] ?? NaN),
      ...begun,
      ...ends,
      ...Object.fromEntries(shares),
      'server, MB': Math.round(peakKb / 1024),
    },
  };
}

/** A network for every third visitor or so, as with a large provider. */
function addressOf(count: number): string {
  const nth = Math.floor(count / 3);
  return `10.${nth % 250}.${Math.floor(nth / 250) % 250}.${count % 3}`;
}

function rowOf(deed: Action, { times, waits, failed }: Tally): Row {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? NaN);
  const why = [...failed].map(([reason, count]) => `${count} × ${reason}`).join(', ');
  return { deed, answered: sorted.length, 'had to wait': waits, failed: why, 'p50 ms': at(0.5), 'p99 ms': at(0.99) };
}
