import { expect, test } from 'vitest';
import { explainRefusal } from './reset-devices.tsx';

test('each error of the server has an explanation', () => {
  expect(explainRefusal('No active subscriptions or licenses.')).toBe(
    'Error: could not reset devices. No active subscriptions or licenses.',
  );
  for (const body of ['', 'Please enter a valid email.', '{"title":"Too many"}', '<html>'])
    expect(explainRefusal(body)).toBe('Error: could not reset devices. Try again later.');
});
