/**
 * Formats rows under their headings, in columns of equal width.
 * @param rows null is shown as an empty cell
 */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const lines = [headings, ...rows].map((row) => row.map((cell) => String(cell ?? '').replaceAll(/[\n\t]/g, ' ')));
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
 * Escapes what a terminal obeys and what reorders a line, since anybody's words are in what commands print. Line breaks
 * and tabs stay. In JSON the escapes mean the same characters.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) =>
    // Above U+FFFF an escape names one of the two halves.
    found.replaceAll(/[^]/g, (half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
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
