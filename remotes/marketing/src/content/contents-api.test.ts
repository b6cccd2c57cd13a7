import { expect, test } from 'vitest';
import { textOfContents } from './contents-api.ts';

test('the text is read out of base64, lines in it or not', () => {
  expect(textOfContents({ content: 'VjUgdXNlcnM6IDEw\nMDA=\n', encoding: 'base64' })).toBe('V5 users: 1000');
});

test('letters beyond ASCII stay what they are', () => {
  expect(textOfContents({ content: 'SOG7hyB0aOG7kW5n' })).toBe('Hệ thống');
});

test.each([null, 'text', {}, { content: 7 }, { content: '%%%' }])('%j is refused', (body) => {
  expect(() => textOfContents(body)).toThrow();
});
