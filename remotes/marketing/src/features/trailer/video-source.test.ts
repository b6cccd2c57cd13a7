import { expect, test } from 'vitest';
import { readVideoLink, SHORT, TRAILER } from './video-source.ts';

test('the link is read without the white space around it', () => {
  expect(readVideoLink(' https://www.youtube.com/watch?v=DemoVideo01\n', TRAILER)).toBe(
    'https://www.youtube.com/watch?v=DemoVideo01',
  );
});

test.each([TRAILER, SHORT])('the fallback of $file is a link that plays', (source) => {
  expect(readVideoLink(source.fallback, source)).toBe(source.fallback);
});

test.each(['', 'Updating', 'https://evil.example/watch?v=DemoVideo01', 'javascript:alert(1)'])(
  '%j is no link to a video',
  (text) => {
    expect(() => readVideoLink(text, TRAILER)).toThrow();
    expect(() => readVideoLink(text, SHORT)).toThrow();
  },
);

test('a link of the one video site does not play in the place of the other', () => {
  expect(() => readVideoLink(TRAILER.fallback, SHORT)).toThrow();
  expect(() => readVideoLink(SHORT.fallback, TRAILER)).toThrow();
});
