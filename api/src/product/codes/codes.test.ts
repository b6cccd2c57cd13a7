import { expect, test } from 'vitest';
import { generateCode, readCode } from './codes.ts';

test('a code has four groups of six unambiguous characters and is unique', () => {
  const codes = Array.from({ length: 200 }, generateCode);

  for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{6}-){3}[0-9A-HJKMNP-TV-Z]{6}$/);
  expect(new Set(codes).size).toBe(200);
  expect(new Set(codes.join('').replaceAll('-', '')).size).toBe(32);
});

test.each([
  'A0B1C2-D3E4F5-G6H7J8-K9M0N1',
  'a0b1c2d3e4f5g6h7j8k9m0n1',
  ' aOblc2 – D3E4F5 — g6h7j8 k9moni ',
  'A0B1C2D3E4F5\nG6H7J8K9M0NI',
  '“A0B1C2-D3E4F5-G6H7J8-K9M0N1”',
  '`A0B1C2\u200b\u2011D3E4F5\u00a0−\u2009G6H7J8\u00ad-K9M0N1`\ufeff',
  'Ａ０Ｂ１Ｃ２－Ｄ３Ｅ４Ｆ５－Ｇ６Ｈ７Ｊ８－Ｋ９Ｍ０Ｎ１',
])('"%s" is normalized to the same code', (typed) => {
  expect(readCode(typed)).toBe('A0B1C2D3E4F5G6H7J8K9M0N1');
});

test('codes that differ in one letter stay different when they are normalized', () => {
  const code = generateCode();
  const letters = [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'];
  const read = new Set(letters.map((letter) => readCode(`"${letter}${code.slice(1)}"`)));

  expect(read).toEqual(new Set(letters.map((letter) => `${letter}${code.slice(1).replaceAll('-', '')}`)));
});

test.each([
  '',
  'A0B1C2',
  'A0B1C2-D3E4F5-G6H7J8-K9M0N',
  'A0B1C2-D3E4F5-G6H7J8-K9M0N11',
  'U0B1C2-D3E4F5-G6H7J8-K9M0N1',
  'A0B1C2-D3E4F5-G6H7J8-K9M0N%',
  'А0B1C2-D3E4F5-G6H7J8-K9M0N1',
])('"%s" is rejected as a code', (typed) => {
  expect(readCode(typed)).toBeUndefined();
});
