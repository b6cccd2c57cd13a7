import { withPostgres } from '../../machine/postgres.ts';
import type { World } from '../../attack/world/world.ts';
import { finishVisits, inTurns, openSite, rateOf } from './calls.ts';
import { median } from '../measure/median.ts';
import type { Row } from '../measure/table.ts';

/** How long a commit waits for the disk, as on replicated storage; microseconds, as `commit_delay` has it. */
const COMMIT_US = 5000;
const AT_ONCE = 32;
/** What the returns have to reach of those without an audit. */
const BAR = 0.9;

/**
 * Compares returns from an advertiser with those of a site whose audit is switched off in its database, on a PostgreSQL
 * whose commits take five milliseconds.
 */
export function benchAudit(): Promise<Row[]> {
  return withPostgres(async (postgres) => {
    const [on, off] = [await openSite({ postgres, pastRuns: 0 }), await openSite({ postgres, pastRuns: 0 })];
    try {
      await off.database.write('CREATE RULE no_audit AS ON INSERT TO audit_unsealed DO INSTEAD NOTHING');
      for (const site of [on, off]) await slowDown(site);
      const turns = await inTurns({ on: () => measure(on), off: () => measure(off) });
      const [found, base] = [median(turns.on), median(turns.off)];
      const ratio = found / base;
      return [
        { audit: 'off', perSecond: base, ratio: 1, bar: '', verdict: '' },
        { audit: 'on', perSecond: found, ratio, bar: BAR, verdict: ratio >= BAR ? 'held' : 'missed' },
      ];
    } finally {
      await on.close();
      await off.close();
    }
  });
}

/** Gives the commits of a site's database their delay. Only new connections have it. */
async function slowDown({ database, server }: World): Promise<void> {
  const name = new URL(database.settings.DATABASE_URL ?? '').pathname.slice(1);
  await server.stop();
  await database.write(`ALTER DATABASE "${name}" SET commit_delay = ${COMMIT_US}`);
  await database.write(`ALTER DATABASE "${name}" SET commit_siblings = 0`);
  await server.start();
}

/** Returns per second of visits about which no advertiser has to be asked. */
async function measure(site: World): Promise<number> {
  const backs = await finishVisits(site, 'rinku');
  return rateOf(
    backs.map((back) => () => site.client.ask(back)),
    AT_ONCE,
  );
}
