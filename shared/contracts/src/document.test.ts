import { expect, test } from 'vitest';
import { themeFor, titleOf } from './document.ts';

test.each([
  ['/index', 'Arceus Team | Arceus X'],
  ['/arceusxv3', 'Arceus Team | Arceus X'],
  ['/v5?os=android', 'Arceus Team | Arceus X'],
  ['/plans?os=ios', 'Arceus Team | Arceus X'],
  ['/?os=windows', 'Arceus Team | Arceus X'],
  ['/rosaverx', 'Arceus Team | RosaverX'],
  ['/rosaverx/key-system-1', 'Arceus Team | RosaverX'],
  ['/privacy-policy', 'Arceus Team | Privacy & Policy'],
  ['/plans?hwid=1', 'Arceus Team | Upgrade plan'],
  ['/', 'Arceus Team'],
  ['/v5', 'Arceus Team'],
  ['/resellers', 'Arceus Team'],
])('the title of %s is %j', (address, title) => {
  expect(titleOf(address)).toBe(title);
});

test('the title of a manifest entry is used only for pages without a title in the specification', () => {
  expect(titleOf('/developers', 'For developers')).toBe('Arceus Team | For developers');
  expect(titleOf('/plans', 'For developers')).toBe('Arceus Team | Upgrade plan');
});

test.each([
  ['/', 'info', 'red'],
  ['/index', 'dark', 'blue'],
  ['/index?from=evergreen', 'dark', 'green'],
  ['/v5', 'info', 'red'],
  ['/rosaverx', 'companion', 'red'],
  ['/rosaverx?from=index', 'companion', 'blue'],
  ['/evergreen', 'info', 'green'],
])('%s has the theme %s and the accent %s', (address, theme, accent) => {
  expect(themeFor(address)).toEqual({ theme, accent });
});
