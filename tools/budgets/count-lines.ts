import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Row } from '../bench/table.ts';

const KINDS = ['product', 'tests'] as const;
type Lines = Record<(typeof KINDS)[number], number>;

/** `tools/budgets/lines.json`: how many lines each folder at the top may have, and why it may have so many. */
export type LineBudgets = Readonly<Record<string, Readonly<Lines & { reason: string }>>>;

const CODE_PATTERN = /\.(?:ts|tsx|mjs)$/;
const TEST_PATTERN = /\.(?:test|spec)\.|^e2e\/|\/test\//;
/** Each stands for itself, and is not maintained. */
const FINDINGS_PATTERN = /^findings\//;

/** Counts the lines of TypeScript and JavaScript that are in the repository, by their folder at the top. */
export function countLines(root: string): Map<string, Lines> {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  const counts = new Map<string, Lines>();
  for (const file of files) {
    const path = `${root}/${file}`;
    if (!CODE_PATTERN.test(file) || FINDINGS_PATTERN.test(file) || !existsSync(path)) continue;
    const [folder = ''] = file.includes('/') ? file.split('/') : ['.'];
    const lines = counts.get(folder) ?? { product: 0, tests: 0 };
    lines[TEST_PATTERN.test(file) ? 'tests' : 'product'] += readFileSync(path, 'utf8').split('\n').length - 1;
    counts.set(folder, lines);
  }
  return counts;
}

/** @returns a row for each folder that has more lines than it may, or that has no budget */
export function findTooLong(counts: ReadonlyMap<string, Lines>, budgets: LineBudgets): Row[] {
  return [...counts].flatMap(([folder, lines]) =>
    KINDS.map((kind) => ({ folder, kind, budget: budgets[folder]?.[kind] ?? 0, now: lines[kind] })).filter(
      ({ budget, now }) => now > budget,
    ),
  );
}
