import { expect, test } from 'vitest';
import { DEFAULT_CARD, productCards } from './choose-app.tsx';

test('the three cards have the badges, platforms and pages of the specification', () => {
  expect(
    productCards().map(({ id, badge, platforms, opens }) => [id, badge.text, badge.kind, platforms.join(), opens]),
  ).toEqual([
    ['v5', 'MOST POPULAR', 'hot', 'android,ios', '/v5'],
    ['neo', 'FREE', 'free', 'android,ios', '/neo'],
    ['v3', 'DISCONTINUED', 'disc', 'android', '/arceusxv3'],
  ]);
});

test('V5 is chosen at first, and its card says how many players chose it', () => {
  expect(DEFAULT_CARD).toBe('v5');
  expect(productCards()[0]?.social.label).toBe('Chosen by 200k+ players');
});

test('each card has the texts, logo, colours and highlight of its app', () => {
  expect(productCards().map(({ title, sub, image, accent }) => [title, sub, image, accent])).toEqual([
    ['V5', 'AI inside', 'v5', 'v5'],
    ['NEO', 'Light and free', 'neo', 'neo'],
    ['V3', 'Where it began', 'v3', 'v3'],
  ]);
  expect(productCards().map(({ highlights }) => highlights)).toEqual([
    ['Unlocked through official resellers'],
    ['A key opens it for 24 hours'],
    ['Its own keyboard and editor'],
  ]);
});
