const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Time left as a clock shows it, `23:59:07`; days are hours, too. A second that has begun counts. */
export function clockOf(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND_MS));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];

  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** Time left as one says it: the two greatest units, nothing that changes each second before the last minute. */
export function spokenOf(leftMs: number): string {
  if (leftMs <= 0) return 'no time left';
  if (leftMs < MINUTE_MS) return 'less than a minute';

  const hours = Math.floor(leftMs / HOUR_MS);
  const minutes = Math.floor((leftMs % HOUR_MS) / MINUTE_MS);
  return [hours > 0 && countOf(hours, 'hour'), minutes > 0 && countOf(minutes, 'minute')].filter(Boolean).join(' and ');
}

function countOf(count: number, unit: string): string {
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
