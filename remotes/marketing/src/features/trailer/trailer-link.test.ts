import { expect, test } from 'vitest';
import { DEFAULT_TRAILER, readTrailerLink } from './trailer-link.ts';

test('the link is read without the white space around it', () => {
  expect(readTrailerLink(' https://www.youtube.com/watch?v=DemoVideo01\n')).toBe('https://www.youtube.com/watch?v=DemoVideo01');
});

test('the default is a link that plays', () => {
  expect(readTrailerLink(DEFAULT_TRAILER)).toBe(DEFAULT_TRAILER);
});

test.each(['', 'Updating', 'https://evil.example/watch?v=DemoVideo01', 'javascript:alert(1)'])('%j is no link to a video', (text) => {
  expect(() => readTrailerLink(text)).toThrow();
});
