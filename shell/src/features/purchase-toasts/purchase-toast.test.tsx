import { UNNAMED_BUYER } from '@app/contracts/purchases';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import en from '../../app/toasts/messages/en.json';
import { flagOf, formatPast, PurchaseToast } from './purchase-toast.tsx';
import { showsPurchases } from './use-purchase-feed.tsx';

const NOW = new Date(2026, 2, 1, 15, 30);

afterEach(() => {
  cleanup();
});

/** The text of a toast about a purchase that was made now. */
function show(name: string, location: string, code: string): string {
  const purchase = { name, timestamp: NOW.getTime() / 1000, location, country_code: code };
  // Some engines put a narrow no-break space before AM and PM.
  return render(<PurchaseToast purchase={purchase} now={NOW} />).container.textContent.replace(/\s/g, ' ');
}

function translateToVietnamese() {
  const texts = {
    'toasts.someone': ['Ai đó'],
    'toasts.bought': [['name'], ' vừa mua gói'],
    'toasts.place': ['ở ', ['place']],
  };
  vi.stubGlobal('translations', { locale: 'vi', texts: { [(en as Record<string, string>)['']!]: texts } });
}

test('a toast names the buyer, the place and the time', () => {
  expect(show('Ada', 'Germany', 'DE')).toBe('Ada got a plan Germany · Today at 3:30 PM');
  expect(document.querySelector('use')?.getAttribute('href')).toMatch(/#de$/);
  cleanup();
  expect(show(UNNAMED_BUYER, '', '')).toBe('Someone got a plan · Today at 3:30 PM');
  expect(document.querySelector('use')).toBeNull();
});

test.each([
  { wide: 60, isHidden: true },
  { wide: 40, isHidden: false },
])('a place of $wide pixels in a room of 40 leaves no part of it: hidden is $isHidden', ({ wide, isHidden }) => {
  vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(wide);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(40);
  show('Ada', 'Germany', 'DE');

  expect(screen.getByText('Germany').hidden).toBe(isHidden);
});

test('a translated toast names the country and an unnamed buyer in its language', () => {
  translateToVietnamese();

  expect(show(UNNAMED_BUYER, 'Germany', 'DE')).toMatch('Ai đó vừa mua gói ở Đức ·');
  expect(show('Ada', 'Hamburg', 'DE')).toMatch('Ada vừa mua gói ở Hamburg ·');
  expect(show('Ada', 'Atlantis', '1?')).toMatch('Ada vừa mua gói ở Atlantis ·');
});

test.each([
  ['a minute ago', new Date(2026, 2, 1, 15, 29), 'Today at 3:29 PM'],
  ['the first minute of today', new Date(2026, 2, 1, 0, 5), 'Today at 12:05 AM'],
  ['the last minute of yesterday, in another month', new Date(2026, 1, 28, 23, 59), 'Yesterday at 11:59 PM'],
  ['the day before', new Date(2026, 1, 27, 12, 0), '27/02/2026 at 12:00 PM'],
  ['another year', new Date(2024, 11, 3, 9, 7), '03/12/2024 at 9:07 AM'],
])('formats the time of %s relative to today', (_what, at, said) => {
  expect(formatPast(at, NOW).replace(/\s/g, ' ')).toBe(said);
});

test.each([
  { code: 'it', flag: 'it' },
  { code: 'IT', flag: 'it' },
  // The sign that stands for all countries whose flag is not drawn.
  { code: 'zz', flag: 'other' },
  ...['', 'i', 'ita', '1t', 'i ', 'ß1'].map((code) => ({ code, flag: undefined })),
])('the country code “$code” has the flag $flag', ({ code, flag }) => {
  expect(flagOf(code)).toBe(flag);
});

test.each(['/', '/index', '/v5', '/neo', '/arceusxv3', '/rosaverx', '/rosaverx/key-system-getkey', '/gate'])(
  'purchases are shown on %s',
  (pathname) => {
    expect(showsPurchases(pathname)).toBe(true);
  },
);

test.each(['/plans', '/resellers', '/privacy-policy', '/encrypter', '/payment-failed'])(
  'no purchase is shown on %s',
  (pathname) => {
    expect(showsPurchases(pathname)).toBe(false);
  },
);
