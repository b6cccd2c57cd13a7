import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { World } from '../../attack/world/world.ts';
import { SCRIPTED } from '../../attack/players/player.ts';
import { median } from '../measure/median.ts';
import type { Row } from '../measure/table.ts';
import { finishVisits, openSite } from './calls.ts';
import { makeManyRuns, STATS_TOKEN, uncount, type Uncounted } from './many-runs.ts';

const RUNS = 10_000_000;
const TURNS = 5;
const DAY_MS = 24 * 60 * 60 * 1000;
/** How often each call is timed in a turn. */
const CALLS = 150;
/** Between two calls, so that a call waits for the count and not for another call. */
const BETWEEN_MS = 5;

const STATS_BAR_MS = 100;
const COUNT_BAR_S = 60;
/** Times of the same calls vary by a tenth without any reason. */
const RATIO_BAR = 1.1;

/**
 * Measures over ten million runs: the call for the figures of three months, how long a server takes to count a whole
 * day at once, and calls of visitors while it counts beside the same calls of a server that does not.
 */
export async function benchStats(print: (title: string, rows: Row[]) => void, runs = RUNS): Promise<Row[]> {
  const site = await openSite({ pastRuns: 0 });
  try {
    await site.server.stop();
    const file = join(site.folder, 'data', 'app.sqlite');
    const uncounted = await makeManyRuns(file, runs);
    const turns = [];
    for (let turn = 0; turn < TURNS; turn++) turns.push(await measureTurn(site, file, uncounted));
    const rows = assess(turns);
    print(`Figures over ${runs} runs on SQLite; a day has ${uncounted.attempts} attempts; medians of ${TURNS}`, rows);
    return rows;
  } finally {
    await site.close();
  }
}

type Times = Record<'state' | 'return', number[]>;

interface Turn {
  statsMs: number[];
  countS: number;
  counting: Times;
  idle: Times;
}

/** Measures the same calls after two starts: of a server that has a day to count, and of one that has nothing to count. */
async function measureTurn(site: World, file: string, uncounted: Uncounted): Promise<Turn> {
  await site.server.stop();
  uncount(file, uncounted);
  await site.server.start();
  const startedAt = performance.now();
  const counted = untilCounted(site, uncounted.from + DAY_MS).then(() => (performance.now() - startedAt) / 1000);
  const counting = await timeWarmCalls(site);
  if ((await readStats(site)).countedUntil >= uncounted.from + DAY_MS)
    throw new Error('The day was counted before the calls were timed');
  const countS = await counted;

  await site.server.stop();
  await site.server.start();
  const idle = await timeWarmCalls(site);
  const statsMs: number[] = [];
  for (let nth = 0; nth < CALLS; nth++) statsMs.push((await timed(() => readStats(site))).ms);
  return { statsMs, countS, counting, idle };
}

/** The first calls warm a new process up. */
async function timeWarmCalls(site: World): Promise<Times> {
  await timeCalls(site);
  return timeCalls(site);
}

async function untilCounted(site: World, at: number): Promise<void> {
  while ((await readStats(site)).countedUntil < at) await wait(500);
}

let asked = 0;
/** The figures of the longest range. Each call has an address of its own, because an address has a limit. */
async function readStats({ client }: World) {
  const address = `10.9.${(asked >> 8) & 255}.${asked++ & 255}`;
  const { status, text } = await client.ask('/api/stats/runs?days=90', {
    headers: { ...SCRIPTED, 'x-forwarded-for': address, authorization: `Bearer ${STATS_TOKEN}` },
  });
  if (status !== 200) throw new Error(`No figures: ${status} ${text}`);
  return JSON.parse(text) as { countedUntil: number };
}

/** Times a call that only reads, and the one that writes most. One after the other. */
async function timeCalls(site: World): Promise<Times> {
  const backs = await finishVisits(site, 'rinku');
  const times: Times = { state: [], return: [] };
  for (const [nth, back] of backs.slice(0, CALLS).entries()) {
    times.return.push((await timed(() => site.client.ask(back))).ms);
    await wait(BETWEEN_MS);
    const state = `/api/keysystem/state?hwid=bench-device-${nth}&app=main`;
    times.state.push((await timed(() => site.client.ask(state, { headers: { 'x-forwarded-for': '10.8.0.1' } }))).ms);
    await wait(BETWEEN_MS);
  }
  return times;
}

async function timed<Result>(act: () => Promise<Result>): Promise<{ ms: number; result: Result }> {
  const startedAt = performance.now();
  const result = await act();
  return { ms: performance.now() - startedAt, result };
}

function assess(turns: readonly Turn[]): Row[] {
  const verdict = (isHeld: boolean) => (isHeld ? 'held' : 'missed');
  const statsMs = median(turns.map((turn) => worstOf(turn.statsMs)));
  const countS = median(turns.map((turn) => turn.countS));
  return [
    {
      what: '/api/stats/runs?days=90, 99 of 100, ms',
      found: statsMs,
      bar: `< ${STATS_BAR_MS}`,
      verdict: verdict(statsMs < STATS_BAR_MS),
    },
    {
      what: 'a whole day counted at once, s',
      found: countS,
      bar: `< ${COUNT_BAR_S}`,
      verdict: verdict(countS < COUNT_BAR_S),
    },
    ...(['state', 'return'] as const).flatMap((call) =>
      [
        { of: 'median', measure: median },
        { of: '99 of 100', measure: worstOf },
      ].map(({ of, measure }) => {
        const ratio = median(turns.map(({ counting, idle }) => measure(counting[call]) / measure(idle[call])));
        const ms = median(turns.map(({ idle }) => measure(idle[call])));
        return {
          what: `${call}, ${of}: while it counts / without (${ms.toFixed(2)} ms)`,
          found: ratio,
          bar: of === 'median' ? `<= ${RATIO_BAR}` : '',
          verdict: of === 'median' ? verdict(ratio <= RATIO_BAR) : '',
        };
      }),
    ),
  ];
}

/** The time that 99 of 100 calls do not exceed. */
function worstOf(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? NaN;
}
