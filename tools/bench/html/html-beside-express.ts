import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { repeatedly } from '../../../api/src/ops/progress.ts';
import { loadFor, type Load } from '../measure/closed-loop.ts';
import { mean, median } from '../measure/median.ts';
import { untilRendered } from '../pages/bench-pages.ts';
import { forkServer, processorMs, startSite, type MeasuredServer } from '../measure/servers.ts';
import type { Row } from '../measure/table.ts';

const TURNS = 20;
const WARM_UP = 5;
const TURN_S = 0.5;

/** At least this part of what bare Express sends, and at most so many times its slowest answers. */
const RATE_BAR = 0.6;
const P99_BAR = 2;

const PATHS = ['/v5', '/key-system-1?hwid=device-bench-1&zone=bench'];
const HEADERS = { accept: 'text/html', 'accept-encoding': 'br' };
/** The key keeps the pages of QA away: on a development machine without a key every visitor gets some. */
const SETTINGS = { QA_ACCESS_KEY: 'only the bench knows this key to QA' };
/** Node adds these itself. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'date', 'content-length']);

export type Turn = Load & { msPerPage: number };

/** Measures how fast the site sends its HTML, beside an Express server that sends the same bytes with the same headers. */
export async function benchHtmlBesideExpress(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const site = await startSite(SETTINGS);
  const rows: Row[] = [];
  try {
    for (const [nth, path] of PATHS.entries()) {
      const file = join(folder, `${nth}.json`);
      writeFileSync(file, JSON.stringify(await readRendered(site.url + path)));
      const bare = await forkServer(new URL('../bare/page.ts', import.meta.url), [file]);
      try {
        rows.push(...compare(path, await measureInTurns({ site, bare }, path)));
      } finally {
        await bare.stop();
      }
    }
  } finally {
    await site.stop();
    rmSync(folder, { recursive: true });
  }
  return rows;
}

async function measureInTurns(servers: Record<'site' | 'bare', MeasuredServer>, path: string) {
  const turns: Record<'site' | 'bare', Turn[]> = { site: [], bare: [] };
  await repeatedly(`HTML of ${path}`, WARM_UP + TURNS, async (turn) => {
    for (const name of ['site', 'bare'] as const) {
      const measured = await measurePages(servers[name], [path], TURN_S);
      if (turn >= WARM_UP) turns[name].push(measured);
    }
  });
  return turns;
}

function compare(path: string, turns: Record<'site' | 'bare', Turn[]>): Row[] {
  const of = (name: 'site' | 'bare', measure: keyof Turn) => {
    const values = turns[name].map((turn) => turn[measure]);
    // Processor time comes in ticks of 10 ms, too coarse for one turn.
    return measure === 'msPerPage' ? mean(values) : median(values);
  };
  // A page costs nothing but processor time, and that is measured more exactly than the rate.
  const rate = of('bare', 'msPerPage') / of('site', 'msPerPage');
  const p99 = of('site', 'p99Ms') / of('bare', 'p99Ms');
  const columns = (measure: keyof Turn) => ({ path, measure, site: of('site', measure), bare: of('bare', measure) });
  return [
    { ...columns('perSecond'), ratio: of('site', 'perSecond') / of('bare', 'perSecond'), bar: '', verdict: '' },
    { ...columns('msPerPage'), ratio: rate, bar: RATE_BAR, verdict: rate < RATE_BAR ? 'missed' : 'held' },
    { ...columns('p99Ms'), ratio: p99, bar: P99_BAR, verdict: p99 > P99_BAR ? 'missed' : 'held' },
  ];
}

export async function measurePages(server: MeasuredServer, paths: readonly string[], seconds: number): Promise<Turn> {
  const spentBefore = processorMs(server.pid);
  const load = await loadFor(
    seconds,
    server.url,
    paths.map((path) => ({ path, headers: HEADERS })),
  );
  return { ...load, msPerPage: (processorMs(server.pid) - spentBefore) / load.answers };
}

/** Reads a page as it is sent, when its HTML is there. */
async function readRendered(url: string): Promise<{ headers: Record<string, string>; body: string }> {
  await untilRendered(url);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { headers: HEADERS }, resolve).on('error', reject).end();
  });
  const headers = Object.entries(answer.headers).filter(([name]) => !OF_THE_CONNECTION.has(name));
  return {
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    body: (await buffer(answer)).toString('base64'),
  };
}
