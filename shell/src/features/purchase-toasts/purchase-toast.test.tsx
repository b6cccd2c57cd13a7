import { UNNAMED_BUYER } from '@app/contracts/purchases';
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import en from '../../app/toasts/messages/en.json';
import { PurchaseToast } from './purchase-toast.tsx';

const NOW = new Date(2026, 2, 1, 15, 30);

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** The text of a toast about a purchase that was made now. */
function show(name: string, location: string, code: string): string {
  const purchase = { name, timestamp: NOW.getTime() / 1000, location, country_code: code };
  // Some engines put a narrow no-break space before AM and PM.
  return render(<PurchaseToast purchase={purchase} now={NOW} />).container.textContent.replace(/\s/g, ' ');
}

function speakVietnamese() {
  const texts = { 'toasts.someone': ['Ai đó'], 'toasts.bought': [['name'], ' vừa mua gói'] };
  vi.stubGlobal('translations', { locale: 'vi', texts: { [(en as Record<string, string>)['']!]: texts } });
}

test('a toast says who bought, where and when', () => {
  expect(show('Ada', 'Germany', 'DE')).toBe('Ada got a plan Germany · Today at 3:30 PM');
  expect(show(UNNAMED_BUYER, '', '')).toBe('Someone got a plan · Today at 3:30 PM');
});

test('in another language it names the country and an unnamed buyer in that language', () => {
  speakVietnamese();

  expect(show(UNNAMED_BUYER, 'Germany', 'DE')).toMatch('Ai đó vừa mua gói Đức ·');
  expect(show('Ada', 'Hamburg', 'DE')).toMatch('Ada vừa mua gói Hamburg ·');
  expect(show('Ada', 'Atlantis', '1?')).toMatch('Ada vừa mua gói Atlantis ·');
});
