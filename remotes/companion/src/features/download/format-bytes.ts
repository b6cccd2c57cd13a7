const UNITS = ['B', 'kB', 'MB', 'GB'] as const;

/** A size as people read it: `640 B`, `1.9 MB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const amount = bytes / 1000 ** power;
  const shown = power === 0 || amount >= 100 ? Math.round(amount) : Math.round(amount * 10) / 10;

  return `${shown} ${UNITS[power]}`;
}
