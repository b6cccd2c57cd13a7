import { expect, test } from 'vitest';
import { dial, drop, OFF, open, type LiveLink } from './live-link.ts';

test.each([dial(OFF), open(dial(OFF))])('dialing does nothing while $status', (link) => {
  expect(dial(link)).toBe(link);
});

test('each failed attempt waits twice as long as the one before, up to a minute', () => {
  const waits = [];
  let link: LiveLink = OFF;
  for (let failures = 0; failures < 9; failures++) {
    link = drop(dial(link), 1);
    waits.push(retryInMs(link));
  }

  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
});

test('the random number moves the wait within its second half', () => {
  expect(retryInMs(drop(dial(OFF), 0))).toBe(500);
  expect(retryInMs(drop(dial(OFF), 0.5))).toBe(750);
});

test('a link that was live starts its retries from the shortest wait', () => {
  const failedTwice = drop(dial(drop(dial(OFF), 1)), 1);
  const live = open(dial(failedTwice));

  expect(retryInMs(drop(live, 1))).toBe(1000);
});

test('a link that was hung up stays off', () => {
  expect(open(OFF)).toBe(OFF);
  expect(drop(OFF, 1)).toBe(OFF);
});

function retryInMs(link: LiveLink) {
  return link.status === 'waiting' ? link.retryInMs : undefined;
}
