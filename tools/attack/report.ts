import type { ClusterReport } from './cluster/play-cluster.ts';
import type { CrashReport } from './crashes/crash.ts';
import type { LimitReport } from './limits/limits.ts';
import type { OutageReport } from './outages/play-outages.ts';
import type { AttackReport } from './play.ts';
import type { PublicationReport } from './crashes/publications.ts';
import type { RendererReport } from './crashes/renderers.ts';
import type { StartReport } from './crashes/starts.ts';
import type { TeamsReport } from './crashes/teams.ts';
import type { CheckoutReport } from './checkout/play-checkout.ts';

const SHOWN = 12;

/** What was found, for the end of the output: readers of a long log look there first. */
const details: string[] = [];

/** By how many megabytes the server's memory may grow during a day of limits. */
const MOST_MEGABYTES = 50;

const TITLES: Record<string, string> = {
  keys: 'keys wrongly issued or taken for real',
  steps: 'steps wrongly credited',
  unpaid: 'plans without a payment',
  unserved: 'payments without what was paid for',
  doubled: 'payments or codes that count twice',
  sums: 'sums of a plan and a day that differ from the books of the provider',
  refused: 'honest players wrongly refused',
  errors: 'answers of 500',
  secrets: 'lines of the log with a secret',
  rules: 'other rules broken',
  unplayed: 'attacks that could not be played',
  lost: 'acknowledged facts lost or doubled',
  starts: 'starts that failed or found another database than they should',
  published: 'publications after which registry and disk differ, or whose repeat failed',
  renderers: 'requests that failed or waited because of a renderer',
  outages: 'outages that were not borne',
  cluster: 'events of a cluster that were noticed, or noticed for too long',
  changes: 'channel changes of teams that were lost, came late, or broke a page',
};

/**
 * Prints the table of an attack and its findings.
 * @returns whether there were no findings
 */
export function printAttack({ seed, database, counts, tries, requests, honest, findings }: AttackReport): boolean {
  const width = Math.max(...[...counts.keys()].map((name) => name.length));
  console.log(`\n${database}, seed ${seed}\n`);
  for (const [name, count] of counts) console.log(`  ${name.padEnd(width)}  ${String(count).padStart(6)}`);
  console.log(
    `\n  ${counts.size} scenarios, ${tries} tries, ${requests} requests; ${honest} honest players in between`,
  );
  return printFindings(findings);
}

/** Prints how often the server was killed, and the findings. Returns whether there were none. */
export function printCrashes({ seed, database, kills, devices, facts, requests, findings }: CrashReport): boolean {
  console.log(
    `\n${database}, seed ${seed}: ${kills} kills under ${devices} devices on their way, ${facts} acknowledged facts, ${requests} answers`,
  );
  return printFindings(findings);
}

/** Prints what was bought while the server was killed, and the findings. Returns whether there were none. */
export function printCheckout({
  seed,
  database,
  purchases,
  kills,
  events,
  requests,
  findings,
}: CheckoutReport): boolean {
  console.log(
    `\n${database}, seed ${seed}: ${purchases} purchases under ${kills} kills, ${events} events of the provider, ${requests} answers`,
  );
  return printFindings(findings);
}

/** Prints how often the server was killed while it started, and the findings. Returns whether there were none. */
export function printStarts({ seed, database, kills, findings }: StartReport): boolean {
  console.log(`\n${database}, seed ${seed}: ${kills} kills during first starts and upgrades`);
  return printFindings(findings);
}

/** Prints how often the server was killed while a release came in, and the findings. Returns whether there were none. */
export function printPublications({ seed, database, kills, answered, findings }: PublicationReport): boolean {
  console.log(`\n${database}, seed ${seed}: ${kills} kills during publications, ${answered} of them after the answer`);
  return printFindings(findings);
}

/** Prints what renderers met while visitors loaded pages, and the findings. Returns whether there were none. */
export function printRenderers({ seed, fates, requests, findings }: RendererReport): boolean {
  const met = Object.entries(fates).map(([fate, count]) => `${count} ${fate}`);
  console.log(`\nSeed ${seed}: renderers ${met.join(', ')}, under ${requests} requests of visitors`);
  return printFindings(findings);
}

/** Prints the outages that were played, and the findings. Returns whether there were none. */
export function printOutages({ database, outages, findings }: OutageReport): boolean {
  console.log(`\n${database}, outages:\n${outages.map((name) => `  ${name}`).join('\n')}`);
  return printFindings(findings);
}

/** Prints how often two teams deployed at once, and the findings. Returns whether there were none. */
export function printTeams({ rounds, changes, requests, findings }: TeamsReport): boolean {
  console.log(
    `\nTwo teams on two servers: ${rounds} rounds each, ${changes} channel changes under ${requests} requests of visitors`,
  );
  return printFindings(findings);
}

/** Prints what happened to a cluster under load, and the findings. Returns whether there were none. */
export function printCluster({ seed, devices, facts, requests, count, events, findings }: ClusterReport): boolean {
  console.log(
    `\nA cluster, seed ${seed}: ${devices} devices, ${facts} acknowledged facts, ${requests} requests through nginx\n`,
  );
  for (const [name, { played, failed }] of Object.entries(events))
    console.log(`  ${String(played).padStart(6)} × ${name}; ${failed} requests failed meanwhile`);
  console.log(
    `  The online count was right ${Math.max(...count.opened)} ms after a page was opened at the other server, at most; ${Math.max(...count.died)} ms after a server was killed`,
  );
  return printFindings(findings);
}

/** Prints by how much the server's memory grew during a day of limits. Returns whether that is allowed. */
export function printLimits({ seed, statuses, requests, megabytes }: LimitReport): boolean {
  const answers = [...statuses].sort().map(([status, count]) => `${count} × ${status}`);
  console.log(`\nLimits, seed ${seed}: a day of one address, ${requests} requests (${answers.join(', ')})`);
  console.log(
    `  ${megabytes.toFixed(1).padStart(6)}  megabytes that the server's memory grew by; fewer than ${MOST_MEGABYTES} are allowed`,
  );
  return megabytes < MOST_MEGABYTES && !statuses.has('500');
}

/** Prints the number of findings of each kind, and keeps some of them for `printDetails`. Returns whether there were none. */
function printFindings(findings: object): boolean {
  const lists = Object.entries(findings) as [string, string[]][];
  for (const [kind, found] of lists) {
    console.log(`  ${String(found.length).padStart(6)}  ${TITLES[kind]}`);
  }
  for (const [kind, found] of lists) {
    for (const what of found.slice(0, SHOWN)) details.push(`${TITLES[kind]}: ${what}`);
    if (found.length > SHOWN) details.push(`${TITLES[kind]}: and ${found.length - SHOWN} more`);
  }
  return lists.every(([, found]) => found.length === 0);
}

/** Prints what was found. Call it once, after all reports. */
export function printDetails(): void {
  for (const detail of details) console.error(`\n${detail}`);
}
