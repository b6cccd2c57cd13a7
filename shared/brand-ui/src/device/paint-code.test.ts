import { expect, test } from 'vitest';
import { paintLine } from './paint-code.ts';

test('a line keeps every character except its indent', () => {
  const { indent, pieces } = paintLine('  if jumps == 2 then -- twice');

  expect(indent).toBe(2);
  expect(pieces.map(({ words }) => words).join('')).toBe('if jumps == 2 then -- twice');
});

test('keywords, calls, numbers, texts and comments have their colours', () => {
  const paints = (line: string) => paintLine(line).pieces.filter(({ paint }) => paint !== 'plain');

  expect(paints('local n = wait(20, "ms") -- soon')).toEqual([
    { paint: 'keyword', words: 'local' },
    { paint: 'call', words: 'wait' },
    { paint: 'number', words: '20' },
    { paint: 'text', words: '"ms"' },
    { paint: 'comment', words: '-- soon' },
  ]);
});

test('a keyword inside a longer word has no colour of its own', () => {
  expect(paintLine('ending = localtime').pieces).toEqual([{ paint: 'plain', words: 'ending = localtime' }]);
});
