import { expect, test } from 'vitest';
import { isOurOrigin } from './our-origin.ts';

test('with a configured origin only that one is ours, whatever host was asked', () => {
  expect(isOurOrigin('https://site.example', 'https://site.example', 'other.example')).toBe(true);
  expect(isOurOrigin('http://site.example', 'https://site.example', 'site.example')).toBe(false);
  expect(isOurOrigin('https://evil.example', 'https://site.example', 'evil.example')).toBe(false);
});

test('without one, the host that was asked is ours', () => {
  expect(isOurOrigin('http://localhost:3000', undefined, 'localhost:3000')).toBe(true);
  expect(isOurOrigin('http://localhost:3001', undefined, 'localhost:3000')).toBe(false);
  expect(isOurOrigin('null', undefined, 'localhost:3000')).toBe(false);
});
