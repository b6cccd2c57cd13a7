import { expect, test } from 'vitest';
import { withQuery } from './with-query.ts';

test('what is missing or empty is left out of a query', () => {
  expect(withQuery('/api/x', { hwid: 'device-1', zone: '', os: undefined, step: 2 })).toBe(
    '/api/x?hwid=device-1&step=2',
  );
  expect(withQuery('/api/x', { zone: undefined })).toBe('/api/x');
});

test('values are escaped', () => {
  expect(withQuery('/api/x', { zone: 'a b&c=d' })).toBe('/api/x?zone=a+b%26c%3Dd');
});
