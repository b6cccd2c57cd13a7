/** What can be found to be wrong, as the report calls it. */
const TITLES = {
  keys: 'keys wrongly issued or taken for real',
  steps: 'steps wrongly credited',
  unpaid: 'plans without a payment',
  unserved: 'payments without what was paid for',
  doubled: 'payments or codes that count twice',
  sums: 'sums of a plan and a day that differ from the books of the provider',
  refused: 'honest players wrongly refused',
  errors: 'answers of 500 and above, and errors in the log',
  secrets: 'lines of the log with a secret',
  rules: 'other rules broken',
  unplayed: 'attacks that could not be played',
  lost: 'acknowledged facts lost or doubled',
  starts: 'starts that failed or found another database than they should',
  published: 'publications after which registry and disk differ, or whose repeat failed',
  cluster: 'events of a cluster that were noticed, or noticed for too long',
};

export type Finding = keyof typeof TITLES;

/** What was found to be wrong, one sentence each. */
export type Findings = Record<Finding, string[]>;

export interface Report {
  /** What was played. */
  summary: string;
  findings: Findings;
}

const MAX_SHOWN = 12;

/** What was found, for the end of the output: readers of a long log look there first. */
const details: string[] = [];

export function noFindings(): Findings {
  return Object.fromEntries(Object.keys(TITLES).map((kind) => [kind, [] as string[]])) as Findings;
}

/**
 * Prints what was played and how much was found of each kind, and keeps some of it for `printDetails`.
 * @returns whether nothing was found
 */
export function printReport({ summary, findings }: Report): boolean {
  console.log(`\n${summary}`);
  const found = (Object.entries(findings) as [Finding, string[]][]).filter(([, { length }]) => length > 0);
  for (const [kind, { length }] of found) console.log(`  ${String(length).padStart(6)}  ${TITLES[kind]}`);
  if (found.length === 0) console.log('  Nothing was found.');
  for (const [kind, all] of found) {
    for (const what of all.slice(0, MAX_SHOWN)) details.push(`${TITLES[kind]}: ${what}`);
    if (all.length > MAX_SHOWN) details.push(`${TITLES[kind]}: and ${all.length - MAX_SHOWN} more`);
  }
  return found.length === 0;
}

/** Prints what was found. Call it once, after all reports. */
export function printDetails(): void {
  for (const detail of details) console.error(`\n${detail}`);
}
