import { expect, test } from 'vitest';
import { abbreviateCount, readUserCounts, textOfContents } from './highlights.tsx';

test('the two numbers are users of V5 and keys of NEO', () => {
  expect(readUserCounts('1204\n4213377\n')).toEqual({ v5Users: 1204, neoKeys: 4_213_377 });
});

test('ignores the label of a number and all characters but digits', () => {
  expect(readUserCounts('V5 users: 1,204+\r\nNEO keys: 4.213.377')).toEqual({ v5Users: 1204, neoKeys: 4_213_377 });
});

test.each(['', '\n', 'none\nnone', '<!doctype html>', `${'9'.repeat(400)}\n-`])('%j leaves the defaults', (text) => {
  expect(readUserCounts(text)).toEqual({ v5Users: 1000, neoKeys: undefined });
});

test('millions are abbreviated and rounded down', () => {
  expect(abbreviateCount(4_293_377)).toEqual({ value: 4.2, decimals: 1, suffix: 'M' });
  expect(abbreviateCount(999_999)).toEqual({ value: 999_999, decimals: 0, suffix: '' });
});

test('the base64 answer of the contents API is decoded, with and without line breaks', () => {
  expect(textOfContents({ content: 'VjUgdXNlcnM6IDEw\nMDA=\n', encoding: 'base64' })).toBe('V5 users: 1000');
});

test('non-ASCII letters are kept', () => {
  expect(textOfContents({ content: 'SOG7hyB0aOG7kW5n' })).toBe('Hệ thống');
});

test.each([null, 'text', {}, { content: 7 }, { content: '%%%' }])('rejects %j', (body) => {
  expect(() => textOfContents(body)).toThrow();
});
