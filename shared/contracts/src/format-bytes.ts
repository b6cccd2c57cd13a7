const UNITS = ['kB', 'MB', 'GB'] as const;

/**
 * Writes a size for people: `640 B`, `1.9 MB`, `170 MB`. The units are powers of 1000. In English it does without `Intl`,
 * whose first use takes a slow phone a tenth of a second.
 */
export function formatBytes(bytes: number, locale = 'en'): string {
  if (bytes < 1000) return `${bytes} B`;

  const power = Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length);
  const amount = bytes / 1000 ** power;
  const digits = amount.toFixed(amount < 100 ? 1 : 0).replace(/\.0$/, '');
  return `${locale.startsWith('en') ? digits : Number(digits).toLocaleString(locale)} ${UNITS[power - 1]}`;
}
