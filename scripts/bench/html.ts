import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { repeatedly } from '../../api/src/ops/progress.ts';
import { createClient } from '../attack/client.ts';
import { rateOf } from './calls.ts';
import { median } from './median.ts';
import { processorMs, startSite } from './servers.ts';
import type { EarlierBuild } from './against.ts';
import type { Row } from './table.ts';

/** Many short turns: what else the machine does hits all alike. */
const TURNS = 40;
const WARM_UP = 10;
const REQUESTS = 200;
const DEVICES = 100;
/** At least this part of the pages of the earlier commit. */
const BAR = 0.95;
const UNIT = 'key-system';
const CANARY = '99.0.0';

/** As in production: without a key everybody on a development machine has QA access, and pages of their own. */
const SETTINGS = { QA_ACCESS_KEY: 'only the bench knows this key to QA' };

const PAGES: Record<string, (nth: number) => string> = {
  '/v5': () => '/v5',
  '/key-system-1': (nth) => `/key-system-1?hwid=device-bench-${nth % DEVICES}&zone=bench`,
};

/**
 * Measures how many pages the server sends per second, without and with an open canary, in turns with a build of the
 * time when releases were fixed at the start. The ratio is that of the processor time for a page.
 * @param fixed that build
 */
export async function benchHtml(fixed: EarlierBuild): Promise<Row[]> {
  const before = await startSite({}, fixed);
  const now = await startSite(SETTINGS);
  const canary = await startSite(SETTINGS);
  try {
    await openCanary(canary);
    const sites = { fixed: before, channels: now, 'with a canary': canary };
    const rows: Row[] = [];
    for (const [path, urlOf] of Object.entries(PAGES)) {
      const rates: Record<string, number[]> = {};
      const spent: Record<string, number> = {};
      await repeatedly(`HTML of ${path}`, WARM_UP + TURNS, async (turn) => {
        for (const [releases, site] of Object.entries(sites)) {
          const before = processorMs(site.pid);
          const rate = await measure(site.url, urlOf);
          if (turn < WARM_UP) continue;
          (rates[releases] ??= []).push(rate);
          spent[releases] = (spent[releases] ?? 0) + processorMs(site.pid) - before;
        }
      });
      for (const [releases, turns] of Object.entries(rates)) {
        const msPerPage = (spent[releases] ?? NaN) / (TURNS * REQUESTS);
        // A page costs nothing but processor time, and that is measured more exactly than the rate.
        const ratio = (spent['fixed'] ?? NaN) / (spent[releases] ?? NaN);
        rows.push({
          path,
          releases,
          perSecond: median(turns),
          msPerPage: msPerPage.toFixed(3),
          ratio,
          bar: BAR,
          verdict: ratio < BAR ? 'missed' : 'held',
        });
      }
    }
    return rows;
  } finally {
    await Promise.all([before.stop(), now.stop(), canary.stop()]);
  }
}

async function measure(url: string, urlOf: (nth: number) => string): Promise<number> {
  const client = createClient(url, ({ status, target }) => {
    if (status !== 200) throw new Error(`${target} answered ${status}`);
  });
  try {
    return await rateOf(Array.from({ length: REQUESTS }, (_, nth) => () => client.ask(urlOf(nth))));
  } finally {
    client.close();
  }
}

/** Gives a copy of a unit's release to a tenth of the devices, and waits until the server has noticed. */
async function openCanary({ url, dataDir }: { url: string; dataDir: string }): Promise<void> {
  const db = new DatabaseSync(join(dataDir, 'app.sqlite'), { timeout: 5000 });
  const { stable, manifest } = db
    .prepare('SELECT stable, manifest FROM channel JOIN "release" USING (unit) WHERE unit = ? AND version = stable')
    .get(UNIT) as { stable: string; manifest: string };
  cpSync(join(dataDir, 'releases', UNIT, stable), join(dataDir, 'releases', UNIT, CANARY), { recursive: true });
  db.prepare(
    `INSERT INTO "release" (unit, version, manifest, digest, bytes, published_at, published_by)
     VALUES (?, ?, ?, '', 0, 0, 'bench')`,
  ).run(UNIT, CANARY, JSON.stringify({ ...(JSON.parse(manifest) as object), version: CANARY }));
  db.prepare('UPDATE channel SET canary = ?, canary_share = 1000, canary_since = 0 WHERE unit = ?').run(CANARY, UNIT);
  db.prepare('UPDATE registry_state SET revision = revision + 1').run();
  db.close();

  const client = createClient(url);
  const isServed = async () =>
    (
      await Promise.all(Array.from({ length: DEVICES }, (_, nth) => client.ask(PAGES['/key-system-1']?.(nth) ?? '')))
    ).some(({ text }) => text.includes(CANARY));
  while (!(await isServed())) await new Promise((resolve) => setTimeout(resolve, 100));
  client.close();
}
