import type { Answer } from './command.ts';

/** What a table shows; null is an empty cell. */
type Cell = string | number | null | undefined;

/**
 * Lists items: all of each for programs, and a table for people.
 * @param columns their headings, each with what it shows of an item
 */
export function listAnswer<Item>(data: readonly Item[], columns: Record<string, (item: Item) => Cell>): Answer {
  const rows = data.map((item) => Object.values(columns).map((show) => show(item)));
  return { data, text: formatTable(Object.keys(columns), rows) };
}

/** The members of an object that have these names. */
export function pick<Item, Name extends keyof Item>(item: Item, ...names: Name[]): Pick<Item, Name> {
  return Object.fromEntries(names.map((name) => [name, item[name]])) as Pick<Item, Name>;
}

/** Formats rows under their headings, in columns of equal width. */
export function formatTable(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
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
export function formatTime(at: number): string;
export function formatTime(at: number | null): string | null;
export function formatTime(at: number | null): string | null {
  if (at === null) return null;
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
