import { expect, test } from 'vitest';
import { defaultStatus, readStatus } from './use-downloads.ts';

test.each(['Updating', 'updating…', 'We UPDATE this build', 'Last updated 2.692'])(
  '%j means that the build is being updated',
  (text) => {
    expect(readStatus('v5', text)).toEqual({ badge: 'Updating', isUpdating: true, version: '' });
  },
);

test('any other text is the version of the game platform, under the app’s own badge', () => {
  expect(readStatus('v5', '2.692.843\n')).toEqual({ badge: 'Updated', isUpdating: false, version: '2.692.843' });
  expect(readStatus('neo', 'up to date')).toEqual({ badge: 'Free', isUpdating: false, version: 'up to date' });
});

test('without a text, the badge is the app’s own and the version is empty', () => {
  expect(defaultStatus('v5')).toEqual({ badge: 'Updated', isUpdating: false, version: '' });
  expect(defaultStatus('neo').badge).toBe('Free');
});
