const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size as people read it: `640 bytes`, `1.9 MB`, `170 MB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const amount = bytes / 1000 ** power;

  return new Intl.NumberFormat('en', {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    // The short form of bytes is the singular.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: amount < 100 ? 1 : 0,
  }).format(amount);
}
