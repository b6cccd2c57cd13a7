import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

const DRIVER = createRequire(import.meta.resolve('../api/package.json')).resolve('better-sqlite3');

/** Statements that nobody holds, and enough garbage of other kinds to have them collected with it. */
const PROGRAM = `
  const Database = require(${JSON.stringify(DRIVER)});
  const database = new Database(':memory:');
  for (let n = 0; n < 100; n++) database.prepare('select ' + n).get();
  let garbage;
  for (let n = 0; n < 3_000_000; n++) garbage = { n };
  console.log('goes on');
`;

test('a process goes on when statements that nobody holds are collected', () => {
  const output = execFileSync(process.execPath, ['--eval', PROGRAM], { encoding: 'utf8' });

  expect(output).toBe('goes on\n');
});
