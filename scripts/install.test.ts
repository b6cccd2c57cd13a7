import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

const DRIVER = createRequire(import.meta.resolve('../api/package.json')).resolve('better-sqlite3');

/** Statements that nobody holds, and a collection of garbage that no callback has asked for. */
const PROGRAM = `
  const Database = require(${JSON.stringify(DRIVER)});
  const database = new Database(':memory:');
  for (let n = 0; n < 100; n++) database.prepare('select ' + n).get();
  gc({ execution: 'async' }).then(() => console.log('goes on'));
`;

test('statements that nobody holds are collected between two callbacks, and the process goes on', () => {
  const output = execFileSync(process.execPath, ['--expose-gc', '--eval', PROGRAM], { encoding: 'utf8' });

  expect(output).toBe('goes on\n');
});
