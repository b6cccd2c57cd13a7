import { expect, test } from 'vitest';
import { COLLAPSE_MS, isCollapsing, isExpanded, settle, show } from './menu.ts';

test('opening takes 350 ms, in which the menu is collapsing and already expanded', () => {
  const opening = show('closed', true);

  expect(COLLAPSE_MS).toBe(350);
  expect([isCollapsing(opening), isExpanded(opening)]).toEqual([true, true]);
  expect(settle(opening)).toBe('open');
});

test('while the menu closes, it is collapsing and no longer expanded', () => {
  const closing = show('open', false);

  expect([isCollapsing(closing), isExpanded(closing)]).toEqual([true, false]);
  expect(settle(closing)).toBe('closed');
});

test('opening or closing during the movement reverses it', () => {
  expect(show('opening', false)).toBe('closing');
  expect(show('closing', true)).toBe('opening');
});

test('what the menu is already, it stays', () => {
  for (const menu of ['closed', 'closing'] as const) expect(show(menu, false)).toBe(menu);
  for (const menu of ['open', 'opening'] as const) expect(show(menu, true)).toBe(menu);
});
