import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { formatTable } from './format.ts';

const PROGRAM = new URL('command-line.ts', import.meta.url).href;

test('threat 39: command output strips control and reordering characters, in text as in JSON', async () => {
  const rude = 'a\u001b[2J\u009b2J\r\u202eb\u2028\u{e0041}';
  const texts = { out: JSON.stringify({ rude }, null, 2), err: `${rude}\n\tLocked.` };
  const script = `import { startProgram } from ${JSON.stringify(PROGRAM)};
const { out, err } = ${JSON.stringify(texts)};
startProgram(async (argv, output) => { output.out(out); output.err(err); return 0; });`;

  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);

  expect(stderr).toBe('a\\u001b[2J\\u009b2J\\u000d\\u202eb\\u2028\\udb40\\udc41\n\tLocked.\n');
  expect(stdout).not.toMatch(/[^\P{C}\n]|\p{Z}(?<! )/u);
  expect(JSON.parse(stdout)).toEqual({ rude });
});

test('a line break inside a table cell is printed on the same line', () => {
  expect(formatTable(['what', 'since'], [['an error\nother\tthing', 1]])).toBe(
    'what                  since\nan error other thing  1',
  );
});
