import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { printTable } from '../tools/bench/table.ts';
import { countLines, findTooLong, type LineBudgets } from '../tools/budgets/count-lines.ts';
import { type Budgets, findOverruns, measureRoutes, writeBudgets } from '../tools/budgets/page-budgets.ts';
import { buildOutdated } from '../tools/units/build-units.ts';
import { listUnitFolders } from '../tools/build/units.ts';

const FILE = fileURLToPath(new URL('../tools/budgets/budgets.json', import.meta.url));
const LINES = fileURLToPath(new URL('../tools/budgets/lines.json', import.meta.url));

/**
 * node scripts/launch.mjs check-budgets
 * Fails where a page needs more scripts or styles until it works than its budget, and prints what grew; also where a folder
 * has more lines of code or of tests than `lines.json` gives it a reason for.
 * node scripts/launch.mjs check-budgets --write
 * Rewrites the budgets of pages.
 */
await buildOutdated(listUnitFolders(), process.stderr);
const routes = measureRoutes('dist');

if (process.argv.includes('--write')) writeFileSync(FILE, `${JSON.stringify(writeBudgets(routes), null, 2)}\n`);

const rows = findOverruns(routes, JSON.parse(readFileSync(FILE, 'utf8')) as Budgets);
if (rows.length > 0) {
  printTable('Pages that exceed their budget, in KB of brotli', rows);
  console.log('\nWhere that is wanted: node scripts/launch.mjs check-budgets --write');
}
const tooLong = findTooLong(countLines('.'), JSON.parse(readFileSync(LINES, 'utf8')) as LineBudgets);
if (tooLong.length > 0) {
  printTable('Folders with more lines than they may have', tooLong);
  console.log('\nTake out as many, or raise the budget in tools/budgets/lines.json, with the reason.');
}
process.exit(rows.length + tooLong.length > 0 ? 1 : 0);
