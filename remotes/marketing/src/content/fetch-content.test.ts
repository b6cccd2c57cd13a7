import { expect, test } from 'vitest';
import { textOfContents } from './fetch-content.ts';

test('the text is decoded from base64, with and without line breaks in it', () => {
  expect(textOfContents({ content: 'VjUgdXNlcnM6IDEw\nMDA=\n', encoding: 'base64' })).toBe('V5 users: 1000');
});

test('letters beyond ASCII stay the same', () => {
  expect(textOfContents({ content: 'SOG7hyB0aOG7kW5n' })).toBe('Hệ thống');
});

test.each([null, 'text', {}, { content: 7 }, { content: '%%%' }])('%j is refused', (body) => {
  expect(() => textOfContents(body)).toThrow();
});
