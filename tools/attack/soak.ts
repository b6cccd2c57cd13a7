import { postgresPrograms, withPostgres, type Postgres } from '../machine/postgres.ts';
import { playCheckout } from './checkout/play-checkout.ts';
import { playCrashes } from './crashes/crash.ts';
import { playPublications } from './crashes/publications.ts';
import { playRenderers } from './crashes/renderers.ts';
import { playStarts } from './crashes/starts.ts';
import { playTeams } from './crashes/teams.ts';
import { playLimits } from './limits/limits.ts';
import { playOutages } from './outages/play-outages.ts';
import { playAttack } from './play.ts';
import {
  printAttack,
  printCheckout,
  printCrashes,
  printLimits,
  printOutages,
  printPublications,
  printRenderers,
  printStarts,
  printTeams,
} from './report.ts';

/** How often each kind of thing is played. */
export interface SoakCounts {
  tries: number;
  kills: number;
  starts: number;
  purchases: number;
  checkoutKills: number;
  publications: number;
  renderers: number;
  rounds: number;
  requests: number;
}

/**
 * On each database it attacks a server, kills it many times, also while it starts, while plans are paid and while releases
 * come in, and takes away what it depends on. It kills those who render releases. On PostgreSQL two teams deploy at once on
 * two servers. Then it measures the server's memory after a day of limits.
 * @param isEachOnce whether the databases take turns, so that each kind of thing is played on one of them
 * @returns whether there were no findings
 */
export async function soak(seed: number, counts: SoakCounts, isEachOnce: boolean): Promise<boolean> {
  const hasPostgres = Boolean(process.env['TEST_DATABASE_URL'] || postgresPrograms());
  if (!hasPostgres) console.log('PostgreSQL is not installed, so this is SQLite alone.');

  // At the same time, because players mostly wait at an advertiser, and an outage for what was taken away. Outages have a
  // database server of their own, because they pause it.
  const [reports, outages] = await Promise.all([onEach(playOn), onEach(playOutagesOn)]);
  const verdicts = reports.flatMap(({ attack, crashes, started, checkout, published, teams }) => [
    ...(attack ? [printAttack(attack)] : []),
    ...(crashes ? [printCrashes(crashes)] : []),
    ...(started ? [printStarts(started)] : []),
    ...(checkout ? [printCheckout(checkout)] : []),
    ...(published ? [printPublications(published)] : []),
    ...(teams ? [printTeams(teams)] : []),
  ]);
  verdicts.push(...outages.flatMap((played) => (played ? [printOutages(played)] : [])));
  // Alone, because it uses all the processor time that it gets.
  verdicts.push(printRenderers(await playRenderers({ seed, rounds: counts.renderers })));
  verdicts.push(printLimits(await playLimits({ seed, requests: counts.requests })));
  return verdicts.every(Boolean);

  /** Calls a function for SQLite, and for PostgreSQL where that is installed, at the same time. */
  function onEach<Result>(play: (postgres?: Postgres) => Promise<Result>): Promise<Result[]> {
    return Promise.all([play(), ...(hasPostgres ? [withPostgres(play)] : [])]);
  }

  async function playOn(postgres?: Postgres) {
    let nth = seed;
    const isHere = () => isPlayedOn(postgres, nth++);

    return {
      attack: isHere() && (await playAttack({ seed, tries: counts.tries, postgres })),
      crashes: isHere() && (await playCrashes({ seed, kills: counts.kills, postgres })),
      started: isHere() && (await playStarts({ seed, kills: counts.starts, postgres })),
      checkout:
        isHere() && (await playCheckout({ seed, purchases: counts.purchases, kills: counts.checkoutKills, postgres })),
      published: isHere() && (await playPublications({ seed, kills: counts.publications, postgres })),
      // Two servers need a database that they can share.
      teams: postgres && (await playTeams({ rounds: counts.rounds, postgres })),
    };
  }

  async function playOutagesOn(postgres?: Postgres) {
    return isPlayedOn(postgres, seed) && (await playOutages({ postgres }));
  }

  function isPlayedOn(postgres: Postgres | undefined, turn: number): boolean {
    return !isEachOnce || !hasPostgres || (turn % 2 === 0) === Boolean(postgres);
  }
}
