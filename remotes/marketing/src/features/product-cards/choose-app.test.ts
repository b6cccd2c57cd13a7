import { expect, test } from 'vitest';
import { DEFAULT_CARD, productCards } from './choose-app.tsx';

test('the three cards have the badges, platforms and pages of the specification', () => {
  expect(
    productCards().map(({ badge, platforms, opens }) => [badge.text, badge.kind, platforms.join(), opens]),
  ).toEqual([
    ['MOST POPULAR', 'hot', 'android,ios', '/v5'],
    ['FREE', 'free', 'android,ios', '/neo'],
    ['DISCONTINUED', 'disc', 'android', '/arceusxv3'],
  ]);
});

test('each card has the texts, logo, colours and highlight of its app', () => {
  expect(
    productCards().map(({ id, title, sub, image, accent, highlights }) => [
      id,
      title,
      sub,
      image,
      accent,
      ...highlights,
    ]),
  ).toEqual([
    ['v5', 'V5', 'AI inside', 'v5', 'v5', 'Unlocked through official resellers'],
    ['neo', 'NEO', 'Light and free', 'neo', 'neo', 'A key opens it for 24 hours'],
    ['v3', 'V3', 'Where it began', 'v3', 'v3', 'Its own keyboard and editor'],
  ]);
});

test('V5 is the default choice, and its card shows how many players chose it', () => {
  expect(DEFAULT_CARD).toBe('v5');
  expect(productCards()[0]?.social.label).toBe('Chosen by 200k+ players');
});
