import { expect, test } from 'vitest';
import { findOverruns, MOST_SCRIPTS_KB, writeBudgets } from './find-overruns.ts';
import type { Part } from './measure-routes.ts';

const shell: Part = { name: 'shell shell.js', kind: 'scripts', bytes: 80_000 };
const page: Part = { name: 'tools page.js', kind: 'scripts', bytes: 6_000 };
const style: Part = { name: 'tools page.css', kind: 'styles', bytes: 2_000 };

function grown(part: Part, bytes: number): Part {
  return { ...part, bytes: part.bytes + bytes };
}

test('what was measured has room in its budget, and a page that grows by a kilobyte is told with what grew', () => {
  const budgets = writeBudgets(new Map([['/a', [shell, page, style]]]));

  expect(findOverruns(new Map([['/a', [shell, grown(page, 400), style]]]), budgets)).toEqual([]);
  expect(findOverruns(new Map([['/a', [grown(shell, 900), grown(page, 100), style]]]), budgets)).toEqual([
    { path: '/a', kind: 'scripts', budget: 86.5, now: 87, grew: 'shell shell.js +0.9, tools page.js +0.1' },
  ]);
});

test('styles have a budget of their own', () => {
  const budgets = writeBudgets(new Map([['/a', [shell, style]]]));
  const rows = findOverruns(new Map([['/a', [shell, grown(style, 600)]]]), budgets);
  expect(rows.map(({ kind, grew }) => [kind, grew])).toEqual([['styles', 'tools page.css +0.6']]);
});

test('a new page needs a budget', () => {
  const rows = findOverruns(new Map([['/new', [page]]]), writeBudgets(new Map()));
  expect(rows).toEqual([{ path: '/new', kind: 'scripts', budget: 0, now: 6, grew: 'tools page.js +6.0' }]);
});

test('no budget lets a page need more scripts than any page may', () => {
  const routes = new Map([['/a', [grown(shell, 1000 * MOST_SCRIPTS_KB)]]]);
  expect(findOverruns(routes, writeBudgets(routes))).toMatchObject([{ path: '/a', kind: 'scripts' }]);
});
