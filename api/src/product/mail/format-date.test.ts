import { expect, test } from 'vitest';
import VI from '../../../../translations/vi/api/mails.json' with { type: 'json' };
import EN from './mails.en.json' with { type: 'json' };
import { formatDay, formatMoment } from './format-date.ts';

const WINTER = Date.UTC(2026, 11, 26, 14, 5);
const SUMMER = Date.UTC(2026, 6, 1, 22, 30);

test.each([
  [WINTER, null, 'Saturday, 26 December 2026 at 14:05\u00a0(UTC)'],
  [WINTER, 'DE', 'Saturday, 26 December 2026 at 15:05\u00a0(Germany, UTC+1)'],
  [WINTER, 'GB', 'Saturday, 26 December 2026 at 14:05\u00a0(United\u00a0Kingdom, UTC)'],
  [WINTER, 'VN', 'Saturday, 26 December 2026 at 21:05\u00a0(Vietnam, UTC+7)'],
  [WINTER, 'IN', 'Saturday, 26 December 2026 at 19:35\u00a0(India, UTC+5:30)'],
  [SUMMER, 'DE', 'Thursday, 2 July 2026 at 00:30\u00a0(Germany, UTC+2)'],
])('%d is formatted for a reader in %s as "%s"', (at, country, said) => {
  expect(formatMoment(at, country, EN)).toBe(said);
});

test.each([
  [WINTER, 'VN', '21:05\u00a0Thứ Bảy, 26 tháng 12, 2026 (giờ\u00a0Việt\u00a0Nam, UTC+7)'],
  [SUMMER, 'VN', '05:30\u00a0Thứ Năm, 2 tháng 7, 2026 (giờ\u00a0Việt\u00a0Nam, UTC+7)'],
  [WINTER, 'DE', '15:05\u00a0Thứ Bảy, 26 tháng 12, 2026 (giờ\u00a0Đức, UTC+1)'],
  [WINTER, null, '14:05\u00a0Thứ Bảy, 26 tháng 12, 2026 (UTC)'],
])('%d is formatted for a reader in %s as "%s" in Vietnamese', (at, country, said) => {
  expect(formatMoment(at, country, VI)).toBe(said);
});

test.each(['US', 'BR', 'ID', 'ZZ', 'X', 'de', ''])('a date for the country "%s" falls back to UTC', (country) => {
  expect(formatMoment(WINTER, country, EN)).toBe('Saturday, 26 December 2026 at 14:05\u00a0(UTC)');
});

test('the day of a date is in the same time zone as its time', () => {
  expect(formatDay(SUMMER, 'DE', EN.locale, { weekday: 'long' })).toBe('Thursday');
  expect(formatDay(SUMMER, null, EN.locale, { weekday: 'long' })).toBe('Wednesday');
  expect(formatDay(SUMMER, 'VN', VI.locale, { weekday: 'long' })).toBe('Thứ Năm');
});
