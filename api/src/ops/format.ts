/**
 * Formats rows under their headings, in columns of equal width.
 * @param rows null is shown as an empty cell
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

/**
 * Formats a time for operators: UTC, to the second. A number beyond the calendar is shown as it is.
 * @param at epoch milliseconds
 */
export function formatTime(at: number): string {
  if (Number.isNaN(new Date(at).valueOf())) return String(at);
  return new Date(at)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z');
}

/** An email address for a terminal: `a***@example.com`. It can be recognised, but not written to. */
export function maskEmail(email: string): string {
  return `${email.charAt(0)}***${email.slice(email.lastIndexOf('@'))}`;
}
