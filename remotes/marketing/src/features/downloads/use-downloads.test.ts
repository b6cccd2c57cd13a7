import { expect, test } from 'vitest';
import { readStatus } from './use-downloads.ts';

test.each(['Updating', 'updating…', 'We UPDATE this build', 'Last updated 2.692'])(
  '%j means that the build is being updated',
  (text) => {
    expect(readStatus('v5', text)).toEqual({ badge: 'Updating', isUpdating: true, version: '' });
  },
);
