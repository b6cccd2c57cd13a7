import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openPage } from '../test/page.ts';

test.each([
  [
    '/errorV5',
    'An error occurred during the payment! Please try again.',
    'Retry Payment',
    '/resellers?hwid=device-1&zone=z',
  ],
  ['/payment-failed', 'An error occurred during the payment!', 'Retry', '/plans?hwid=device-1&zone=z'],
  ['/success-basic', 'Basic plan', 'Launch', 'roblox://'],
  ['/success-plus', 'Plus plan', 'Launch', 'roblox://'],
  ['/success-premium', 'Premium plan', 'Launch', 'roblox://'],
])('%s says “%s”, and its action “%s” links to %s', async (path, heading, action, leadsTo) => {
  await openPage(`${path}?hwid=device-1&zone=z`, {});

  const main = within(screen.getByRole('main'));
  expect(main.getByRole('heading', { level: 1 }).textContent).toBe(heading);
  expect(main.getByRole('link', { name: action }).getAttribute('href')).toBe(leadsTo);
});

test('of a payment that was cancelled the page says that nothing was paid, and asks about no charge', async () => {
  await openPage('/payment-failed?hwid=device-1&zone=z&cancelled', {});

  const said = screen.getByRole('main').textContent;
  expect(said).toContain('Nothing was paid.');
  expect(said).not.toContain('charged');
});
