const UNITS = ['B', 'KB', 'MB', 'GB'];

/** The size of a file as people read it: `61 B`, `1.5 KB`, `170 MB`. */
export function formatSize(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const amount = bytes / 1000 ** unit;

  return `${amount < 10 && unit > 0 ? amount.toFixed(1) : Math.round(amount)} ${UNITS[unit]}`;
}
