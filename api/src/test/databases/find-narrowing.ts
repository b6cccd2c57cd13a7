/** What the code of the release before could not live with, while both work on one database. */
const NARROWING: readonly [RegExp, string][] = [
  [/\bdrop\s+table\b/i, 'removes a table'],
  [/\bdrop\s+column\b/i, 'removes a column'],
  [/\brename\b/i, 'renames'],
  [/\bset\s+not\s+null\b|\bset\s+data\s+type\b|\balter\s+column\s+\S+\s+type\b/i, 'narrows a column'],
  [/\badd\s+column\b(?=.*\bnot\s+null\b)(?!.*\bdefault\b)/is, 'adds a column that old code does not fill'],
  [/\badd\s+(constraint|check|unique|foreign|primary)\b/i, 'adds a condition'],
  [/\bcreate\s+unique\s+index\b/i, 'adds a condition'],
];

/**
 * Finds what a migration takes from the code of the release before.
 * @param statements the SQL of the migration
 * @returns a sentence for each such statement
 */
export function findNarrowing(statements: readonly string[]): string[] {
  const created = new Set(
    statements.flatMap((statement) => /create\s+table\s+"?(\w+)/i.exec(statement)?.slice(1) ?? []),
  );
  // Nobody uses a table yet that the same migration creates.
  const isOnNew = (statement: string) =>
    created.has(/\b(?:on|table)\s+"?(\w+)/i.exec(statement)?.[1] ?? '') && !/drop\s+table/i.test(statement);
  return statements.flatMap((statement) =>
    NARROWING.filter(([pattern]) => pattern.test(statement) && !isOnNew(statement)).map(
      ([, what]) => `${what}: ${statement.trim()}`,
    ),
  );
}
