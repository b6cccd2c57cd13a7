import { expect, test } from 'vitest';
import { close, COLLAPSE_MS, isCollapsing, isExpanded, settle, toggle } from './menu.ts';

test('opening takes 350 ms, in which the menu is collapsing and already expanded', () => {
  const opening = toggle('closed');

  expect(COLLAPSE_MS).toBe(350);
  expect([isCollapsing(opening), isExpanded(opening)]).toEqual([true, true]);
  expect(settle(opening)).toBe('open');
});

test('closing takes as long, in which it is collapsing and no longer expanded', () => {
  const closing = toggle('open');

  expect([isCollapsing(closing), isExpanded(closing)]).toEqual([true, false]);
  expect(settle(closing)).toBe('closed');
});

test('a second press half-way turns back', () => {
  expect(toggle(toggle('closed'))).toBe('closing');
  expect(toggle(toggle('open'))).toBe('opening');
});

test('closing what is closed does nothing', () => {
  expect(close('closed')).toBe('closed');
  expect(close('closing')).toBe('closing');
  expect(close('open')).toBe('closing');
});
