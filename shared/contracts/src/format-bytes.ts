const UNITS = ['kilobyte', 'megabyte', 'gigabyte'] as const;

/** Writes a size for people: `640 B`, `1.9 MB`, `170 MB`. The units are powers of 1000. */
export function formatBytes(bytes: number, locale = 'en'): string {
  // For bytes, Intl has no short form with a space.
  if (bytes < 1000) return `${bytes} B`;

  const power = Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length);
  const amount = bytes / 1000 ** power;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[power - 1] ?? 'kilobyte',
    maximumFractionDigits: amount < 100 ? 1 : 0,
  }).format(amount);
}
