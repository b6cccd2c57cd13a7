import { postgresPrograms, withPostgres, type Postgres } from '../machine/postgres.ts';
import { playCheckout } from './crashes/checkout.ts';
import { playCrashes } from './crashes/crash.ts';
import { playPublications } from './crashes/publications.ts';
import { simulateStarts } from './crashes/starts.ts';
import { playAttack } from './play.ts';
import { printReport, type Report } from './report.ts';

/** How often each kind of thing is played. */
export interface SoakCounts {
  tries: number;
  kills: number;
  starts: number;
  purchases: number;
  checkoutKills: number;
  publications: number;
}

/**
 * On each database it attacks a server, and kills it many times, also while it starts, while plans are paid and while
 * releases come in.
 * @param isEachOnce whether the databases take turns, so that each kind of thing is played on one of them
 * @returns whether there were no findings
 */
export async function soak(seed: number, counts: SoakCounts, isEachOnce: boolean): Promise<boolean> {
  const hasPostgres = Boolean(process.env['TEST_DATABASE_URL'] || postgresPrograms());
  if (!hasPostgres) console.log('PostgreSQL is not installed, so this is SQLite alone.');

  // At the same time, because players mostly wait at an advertiser.
  const reports = await Promise.all([playOn(), ...(hasPostgres ? [withPostgres(playOn)] : [])]);
  return reports.flat().map(printReport).every(Boolean);

  async function playOn(postgres?: Postgres): Promise<Report[]> {
    const plays = [
      () => playAttack({ seed, tries: counts.tries, postgres }),
      () => playCrashes({ seed, kills: counts.kills, postgres }),
      () => simulateStarts({ seed, kills: counts.starts, postgres }),
      () => playCheckout({ seed, purchases: counts.purchases, kills: counts.checkoutKills, postgres }),
      () => playPublications({ seed, kills: counts.publications, postgres }),
    ].filter((_, nth) => !isEachOnce || !hasPostgres || ((seed + nth) % 2 === 0) === Boolean(postgres));
    const played: Report[] = [];
    for (const play of plays) played.push(await play());
    return played;
  }
}
