/** A row of a table: a value for each column. */
export type Row = Record<string, string | number>;

/** Prints a Markdown table for docs/benchmarks.md. The first row decides the columns. */
export function printTable(title: string, rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {});
  console.log(`\n${title}\n\n| ${columns.join(' | ')} |\n|${columns.map(() => '---').join('|')}|`);
  for (const row of rows) console.log(`| ${columns.map((column) => textOf(row[column] ?? '')).join(' | ')} |`);
}

function textOf(value: string | number): string {
  return typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(2) : String(value);
}

/** The median of some numbers; NaN when there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? NaN) + (sorted[sorted.length >> 1] ?? NaN)) / 2;
}
