import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { openPage } from '../test/page.ts';

const SHOP = {
  name: 'Blue Store',
  logo: 'mark-9',
  description: 'Plans by mail.',
  discord: 'https://chat.blue.example/invite',
  buyLink: 'https://blue.example/buy',
  isArceusX: true,
  trusted: 1234,
};

const card = (name: string) => within(screen.getByRole('heading', { name }).closest('li')!);

test('the list is requested with an empty JSON object, and shows the shops with their links', async () => {
  const asked = await openPage('/resellers', {
    '/api/resellers': () =>
      Response.json([
        SHOP,
        { ...SHOP, name: 'Red Store', isArceusX: false, trusted: undefined },
        { ...SHOP, name: 'Grey Store', trusted: null },
        { name: 'Broken' },
        { ...SHOP, name: 'Eve', buyLink: 'javascript:alert(1)' },
      ]),
  });

  expect(asked.filter(({ path }) => path.startsWith('/api/'))).toEqual([
    { path: '/api/resellers', method: 'POST', body: '{}' },
  ]);
  expect(card('Blue Store').getByText('Official Store')).toBeDefined();
  expect(card('Blue Store').getByText('Plans by mail.')).toBeDefined();
  expect(card('Blue Store').getByText('Trusted by 1,234+ users')).toBeDefined();
  expect(
    card('Blue Store')
      .getByRole('link', { name: /^DISCORD/ })
      .getAttribute('href'),
  ).toBe(SHOP.discord);
  expect(
    card('Blue Store')
      .getByRole('link', { name: /^START NOW/ })
      .getAttribute('href'),
  ).toBe(SHOP.buyLink);
  expect(card('Red Store').getByText('Verified Partner')).toBeDefined();
  expect(card('Grey Store').queryByText(/Trusted by/)).toBeNull();
  expect(screen.getAllByText(/Trusted by/)).toHaveLength(1);
  expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(3);
});

test.each([
  ['fails', () => new Response('oops', { status: 500 })],
  ['is no list', () => Response.json({ resellers: [] })],
  ['is no JSON', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
])('when the answer %s, the samples are shown and the failure is logged', async (_why, answer) => {
  const logged = vi.spyOn(console, 'error').mockReturnValue(undefined);
  await openPage('/resellers', { '/api/resellers': answer });

  expect(screen.getByRole('heading', { name: 'Sample Official Store' })).toBeDefined();
  expect(screen.getAllByRole('link', { name: /^START NOW/ })).toHaveLength(4);
  expect(logged.mock.calls.filter(([words]) => String(words).startsWith('Failed to fetch resellers'))).toHaveLength(1);
});
