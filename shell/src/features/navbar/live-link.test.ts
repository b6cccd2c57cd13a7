import { expect, test } from 'vitest';
import { dial, drop, OFF, open, type LiveLink } from './live-link.ts';

test.each([dial(OFF), open(dial(OFF), 0)])('dialing does nothing while $status', (link) => {
  expect(dial(link)).toBe(link);
});

test('each failed attempt waits twice as long as the one before, up to a minute', () => {
  const waits = [];
  let link: LiveLink = OFF;
  for (let failures = 0; failures < 9; failures++) {
    link = drop(dial(link), 0, 1);
    waits.push(retryInMs(link));
  }

  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
});

test('the random number moves the wait within its second half', () => {
  expect(retryInMs(drop(dial(OFF), 0, 0))).toBe(500);
  expect(retryInMs(drop(dial(OFF), 0, 0.5))).toBe(750);
});

test('a link that has lasted starts its retries from the shortest wait, and one that has not goes on', () => {
  const failedTwice = drop(dial(drop(dial(OFF), 0, 1)), 0, 1);
  const live = open(dial(failedTwice), 5000);

  expect(retryInMs(drop(live, 34_999, 1))).toBe(4000);
  expect(retryInMs(drop(live, 35_000, 1))).toBe(1000);
});

test.each([dial(OFF), open(dial(OFF), 0)])(
  'a server with too many sockets is left alone for a minute: $status',
  (link) => {
    expect(retryInMs(drop(link, 100_000, 1, 1013))).toBe(60_000);
    expect(retryInMs(drop(link, 100_000, 1, 1012))).toBe(1000);
  },
);

test('a link that was hung up stays off', () => {
  expect(open(OFF, 0)).toBe(OFF);
  expect(drop(OFF, 0, 1)).toBe(OFF);
});

function retryInMs(link: LiveLink) {
  return link.status === 'waiting' ? link.retryInMs : undefined;
}
