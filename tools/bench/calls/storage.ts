import { join } from 'node:path';
import { createClient } from '../../attack/world/client.ts';
import { withPostgres } from '../../machine/postgres.ts';
import { CALLS, DEVICES, finishVisits, inTurns, measureCalls, measureReturns, openSite, rateOf } from './calls.ts';
import { median } from '../measure/median.ts';
import { forkServer } from '../measure/servers.ts';
import type { Row } from '../measure/table.ts';

const FEW = 1000;
const MANY = 1_000_000;

/**
 * Measures the calls of a run in turns, with a thousand and with a million past runs in the tables, on each database.
 */
export async function benchPastRuns(): Promise<Row[]> {
  return [...(await comparePastRuns()), ...(await withPostgres(comparePastRuns))];
}

async function comparePastRuns(postgres?: { url: string }): Promise<Row[]> {
  const few = await openSite({ postgres, pastRuns: FEW });
  const many = await openSite({ postgres, pastRuns: MANY });
  try {
    const turns = await inTurns({ few: () => measureCalls(few), many: () => measureCalls(many) });
    return CALLS.map((call) => {
      const before = median(turns.few.map((rates) => rates[call]));
      const after = median(turns.many.map((rates) => rates[call]));
      return {
        database: few.database.name,
        call,
        [`after ${FEW}`]: before,
        [`after ${MANY}`]: after,
        ratio: after / before,
      };
    });
  } finally {
    await few.close();
    await many.close();
  }
}

/**
 * Compares a return from an advertiser with the smallest alternative: an Express route with one durable write. The
 * return asks the advertiser, which is in another process, while the disk writes its claim, and waits for the disk once. A
 * return from Rinku asks no advertiser and commits once.
 */
export async function benchReturns(): Promise<Row[]> {
  const site = await openSite({ pastRuns: 0 });
  const bare = await startBare(site.folder);
  try {
    const turns = await inTurns({
      bare: () => rateOf(Array.from({ length: 4 * DEVICES }, (_, nth) => () => bare.ask(`/${nth}`))),
      linkvertise: async () => measureReturns(site.client, await finishVisits(site, 'linkvertise')),
      rinku: async () => measureReturns(site.client, await finishVisits(site, 'rinku')),
    });
    const [base, asking, silent] = [median(turns.bare), median(turns.linkvertise), median(turns.rinku)];
    return [
      { route: 'bare Express, one durable write', perSecond: base, ratio: 1 },
      { route: 'return, with the call to the advertiser', perSecond: asking, ratio: asking / base },
      { route: 'return, without that call', perSecond: silent, ratio: silent / base },
    ];
  } finally {
    await bare.stop();
    await site.close();
  }
}

async function startBare(folder: string) {
  const server = await forkServer(new URL('../bare/express.ts', import.meta.url), [join(folder, 'bare.sqlite')]);
  const client = createClient(server.url);
  return {
    ask: (path: string) => client.ask(path),
    async stop() {
      client.close();
      await server.stop();
    },
  };
}
