import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { repeatedly } from '../../../api/src/ops/progress.ts';
import { createClient } from '../../attack/world/client.ts';
import type { EarlierBuild } from '../calls/against.ts';
import { measurePages, type Turn } from './html-beside-express.ts';
import { mean, median } from '../measure/median.ts';
import { startSite } from '../measure/servers.ts';
import type { Row } from '../measure/table.ts';

/** Many short turns: what else the machine does hits all alike. */
const TURNS = 40;
const WARM_UP = 10;
const TURN_S = 0.2;
const DEVICES = 100;
/** At least this part of the pages of the earlier commit. */
const BAR = 0.95;
const UNIT = 'key-system';
const CANARY = '99.0.0';

/** As in production: without a key every visitor of a development machine has QA access, and pages of their own. */
const SETTINGS = { QA_ACCESS_KEY: 'only the bench knows this key to QA' };

const RUN_PAGES = Array.from({ length: DEVICES }, (_, nth) => `/key-system-1?hwid=device-bench-${nth}&zone=bench`);
const PAGES = { '/v5': ['/v5'], '/key-system-1': RUN_PAGES };

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
    for (const [path, paths] of Object.entries(PAGES)) {
      const turns: Record<string, Turn[]> = {};
      await repeatedly(`HTML of ${path}`, WARM_UP + TURNS, async (turn) => {
        for (const [releases, site] of Object.entries(sites)) {
          const measured = await measurePages(site, paths, TURN_S);
          if (turn >= WARM_UP) (turns[releases] ??= []).push(measured);
        }
      });
      const msPerPage = (releases: string) => mean((turns[releases] ?? []).map((turn) => turn.msPerPage));
      for (const releases of Object.keys(sites)) {
        // A page costs nothing but processor time, and that is measured more exactly than the rate.
        const ratio = msPerPage('fixed') / msPerPage(releases);
        rows.push({
          path,
          releases,
          perSecond: median((turns[releases] ?? []).map(({ perSecond }) => perSecond)),
          msPerPage: msPerPage(releases).toFixed(3),
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
    (await Promise.all(RUN_PAGES.map((path) => client.ask(path)))).some(({ text }) => text.includes(CANARY));
  while (!(await isServed())) await new Promise((resolve) => setTimeout(resolve, 100));
  client.close();
}
