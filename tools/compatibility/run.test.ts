import { expect, test, vi } from 'vitest';
import { NotThere, readRows, runTable, type RunTool } from './run.ts';

const TABLES = `# Tools

## Keys

Words, and | a line of them.

| tool | what it does | what to do |
|---|---|---|
| jose 6.2.18 | verifies | nothing |
| lua-cjson (Lua 5.4) 2.1.0 | gives floats | print them |

## Webhooks

| tool | what it does | what to do |
|---|---|---|
| svix 2.5.0 | verifies | nothing |
`;

test('a row has the name of a tool, its version, and what it does', () => {
  expect(readRows(TABLES, 'Keys')).toEqual([
    { tool: 'jose', version: '6.2.18', does: 'verifies', beside: 'nothing' },
    { tool: 'lua-cjson (Lua 5.4)', version: '2.1.0', does: 'gives floats', beside: 'print them' },
  ]);
});

test('a tool that does something else, one without a row, and one that fails are differences; a missing one is not', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  const play = (run: RunTool) => runTable('Verifying our keys', { jose: run }, 'jose');
  expect(await play(() => Promise.resolve({ does: 'something else' }))).toBe(false);
  expect(await play(() => Promise.reject(new Error('It failed')))).toBe(false);
  expect(await play(() => Promise.reject(new NotThere('apt-get install it')))).toBe(true);
  expect(await runTable('No table', { none: () => Promise.resolve({ does: 'verifies' }) })).toBe(false);
  expect(await runTable('Verifying our keys', {})).toBe(false);
  expect(await runTable('Verifying our keys', {}, 'no such tool')).toBe(false);
  const tools: Record<string, RunTool> = {
    'lua-cjson (Lua 5.1)': () => Promise.resolve({ does: 'something else' }),
    'lua-cjson (Lua 5.4)': () => Promise.reject(new NotThere('apt-get install it')),
  };
  expect(await runTable('Verifying our keys', tools, 'lua-cjson')).toBe(false);
  expect(log.mock.calls.join('\n')).toContain('nothing runs it');
  expect(log.mock.calls.join('\n')).toContain('it is not in the table');
});
