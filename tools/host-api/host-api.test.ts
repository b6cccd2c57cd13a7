import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HOST_API_VERSION } from '../../shared/contracts/src/unit.ts';
import { findListProblems, type HostApiList, readGiven } from './host-api.ts';

const WHERE = 'HOST_API_VERSION in shared/contracts/src/unit.ts';

test('the version of the host API is raised with what platform and the design tokens give', () => {
  const list = JSON.parse(readFileSync('shared/contracts/host-api.json', 'utf8')) as HostApiList;
  const now = { version: HOST_API_VERSION, gives: readGiven() };

  expect(findListProblems(list, now)).toEqual([]);
  expect(now, 'The version fits. Write the list anew: node scripts/launch.mjs host-api').toEqual(list);
});

test('what the shell gives is read with its declarations, and without what is private to platform', () => {
  const given = readGiven();

  expect(given['--accent']).toBe('');
  expect(given['--app-2']).toBe('');
  expect(given['@app/platform withQuery']).toBe(
    'function withQuery(string, Readonly<Record<string, string | number | undefined>>): string',
  );
  expect(given['@app/platform useQuery']).toContain('interface QueryOptions { onReturn?: boolean;');
  expect(given['@app/platform Router']).toBe('of react-router-dom');
  expect(given['@app/platform RemoteModule']).toMatch(/^interface RemoteModule \{ /);
  expect(given).not.toHaveProperty('@app/platform detectOs');
});

const BEFORE = { version: '2.2', gives: { '--bg': '', 'p useA': 'function useA(): void' } };

test.each([
  ['a removed name', { '--bg': '' }, ['p useA is gone'], `p useA is gone: set ${WHERE} to 3.0`],
  ['an added name', { ...BEFORE.gives, '--new': '' }, [], `--new is new: set ${WHERE} to 2.3`],
  [
    'a changed declaration',
    { ...BEFORE.gives, 'p useA': 'function useA(string): void' },
    [],
    `p useA is declared in another way: set ${WHERE} to 2.3, or to 3.0 if what used it before breaks`,
  ],
])('%s needs a higher version of the host API', (_what, gives: Record<string, string>, withMinor, sentence) => {
  expect(findListProblems(BEFORE, { version: '2.2', gives })).toEqual([sentence]);
  expect(findListProblems(BEFORE, { version: '2.3', gives })).toEqual(
    withMinor.map((text) => expect.stringContaining(text) as string),
  );
  expect(findListProblems(BEFORE, { version: '3.0', gives })).toEqual([]);
});
