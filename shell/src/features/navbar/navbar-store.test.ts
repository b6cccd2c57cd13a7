import { expect, test } from 'vitest';
import { COLLAPSE_DURATION_MS, isExpanded, useNavbarStore } from './navbar-store.ts';

const { shown, closed, settled } = useNavbarStore.getState();
const open = () => shown(true);

test.each([
  { menu: 'closed', act: open, next: 'opening', end: 'open' },
  { menu: 'open', act: closed, next: 'closing', end: 'closed' },
  // During the movement it turns round.
  { menu: 'opening', act: closed, next: 'closing', end: 'closed' },
  { menu: 'closing', act: open, next: 'opening', end: 'open' },
  // What the menu is already, it stays.
  { menu: 'closed', act: closed, next: 'closed', end: 'closed' },
  { menu: 'closing', act: closed, next: 'closing', end: 'closed' },
  { menu: 'open', act: open, next: 'open', end: 'open' },
  { menu: 'opening', act: open, next: 'opening', end: 'open' },
] as const)('the $menu menu becomes $next, and $end 350 ms later', ({ menu, act, next, end }) => {
  useNavbarStore.setState({ menu });
  act();
  expect(useNavbarStore.getState().menu).toBe(next);
  expect(isExpanded({ menu: next })).toBe(end === 'open');

  settled();
  expect(useNavbarStore.getState().menu).toBe(end);
  expect(COLLAPSE_DURATION_MS).toBe(350);
});
