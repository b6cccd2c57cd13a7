/**
 * Rows under their headings, each column as wide as its widest text.
 * @param rows what cannot be shown is empty
 */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const lines = [headings, ...rows].map((row) => row.map((cell) => String(cell ?? '')));
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));

  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A point in time as an operator reads it: UTC, to the second; the bare number where no calendar reaches that far. */
export function formatTime(at: number): string {
  if (Number.isNaN(new Date(at).valueOf())) return String(at);
  return new Date(at)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z');
}
