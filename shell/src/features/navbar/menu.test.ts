import { expect, test } from 'vitest';
import { close, COLLAPSE_MS, isCollapsing, isExpanded, settle, toggle } from './menu.ts';

test('opening takes 350 ms, in which the menu is collapsing and already expanded', () => {
  const opening = toggle('closed');

  expect(COLLAPSE_MS).toBe(350);
  expect([isCollapsing(opening), isExpanded(opening)]).toEqual([true, true]);
  expect(settle(opening)).toBe('open');
});

test('while the menu closes, it is collapsing and no longer expanded', () => {
  const closing = toggle('open');

  expect([isCollapsing(closing), isExpanded(closing)]).toEqual([true, false]);
  expect(settle(closing)).toBe('closed');
});

test('a second click during the movement reverses it', () => {
  expect(toggle(toggle('closed'))).toBe('closing');
  expect(toggle(toggle('open'))).toBe('opening');
});

test('closing a menu that is closed or closing does nothing', () => {
  expect(close('closed')).toBe('closed');
  expect(close('closing')).toBe('closing');
  expect(close('open')).toBe('closing');
});
