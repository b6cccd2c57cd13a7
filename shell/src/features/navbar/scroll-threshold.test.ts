import { expect, test } from 'vitest';
import { scrollThreshold } from './scroll-threshold.ts';

test.each(['/', '/index', '/v5', '/neo'])('the navbar of %s changes colour beyond 40 px', (pathname) => {
  expect(scrollThreshold(pathname)).toBe(40);
});

test.each(['/plans', '/arceusxv3', '/rosaverx', '/key-system-1'])(
  'the navbar of %s changes colour beyond 99 px',
  (pathname) => {
    expect(scrollThreshold(pathname)).toBe(99);
  },
);
