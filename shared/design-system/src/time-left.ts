import { t } from './words.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Formats a time left like a clock, `23:59:07`. Days count as hours; part of a second counts as a second. */
export function formatClock(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND_MS));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];

  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** Formats a time left in words for screen readers. Without seconds, so that the text does not change every second. */
export function formatSpoken(leftMs: number): string {
  if (leftMs <= 0) return t('countdown.over');
  if (leftMs < MINUTE_MS) return t('countdown.seconds');

  const count = { hours: Math.floor(leftMs / HOUR_MS), minutes: Math.floor((leftMs % HOUR_MS) / MINUTE_MS) };
  const hours = count.hours === 1 ? t('countdown.hour') : t('countdown.hours', { count: count.hours });
  const minutes = count.minutes === 1 ? t('countdown.minute') : t('countdown.minutes', { count: count.minutes });
  if (count.hours === 0) return minutes;

  return count.minutes === 0 ? hours : t('countdown.both', { hours, minutes });
}
