import type { Row } from '../bench/table.ts';
import type { Part } from './measure-routes.ts';

/** `tools/budgets/budgets.json`, in kilobytes of 1000 bytes. */
export interface Budgets {
  /** What each page may need until it works, by path. */
  routes: Readonly<Record<string, Readonly<Record<Part['kind'], number>>>>;
  /** How large each part was when the budgets were written. It says which part of a page has grown. */
  parts: Readonly<Record<string, number>>;
}

/** No page may need more scripts than this, whatever its budget says. */
export const MOST_SCRIPTS_KB = 110;
/** So much may a page grow before the check fails. */
const ROOM_KB = 0.5;

/**
 * Compares what pages need with their budgets.
 * @returns a row for each budget that is exceeded, with the parts of the page that have grown; a page without a budget is
 *   a row as well
 */
export function findOverruns(routes: ReadonlyMap<string, readonly Part[]>, budgets: Budgets): Row[] {
  return [...routes].flatMap(([path, parts]) =>
    (['scripts', 'styles'] as const).flatMap((kind) => {
      const budget = budgets.routes[path]?.[kind] ?? 0;
      const limit = kind === 'scripts' ? Math.min(budget, MOST_SCRIPTS_KB) : budget;
      const ofKind = parts.filter((part) => part.kind === kind);
      const now = sum(ofKind);
      return now <= limit ? [] : [{ path, kind, budget: limit, now, grew: whatGrew(ofKind, budgets) }];
    }),
  );
}

/** Makes new budgets: what pages need now, and a little room. */
export function writeBudgets(routes: ReadonlyMap<string, readonly Part[]>): Budgets {
  const limitOf = (parts: readonly Part[], kind: Part['kind']) =>
    round(sum(parts.filter((part) => part.kind === kind)) + ROOM_KB);
  return {
    routes: Object.fromEntries(
      [...routes].map(([path, parts]) => [
        path,
        { scripts: limitOf(parts, 'scripts'), styles: limitOf(parts, 'styles') },
      ]),
    ),
    parts: Object.fromEntries([...routes.values()].flat().map(({ name, bytes }) => [name, round(bytes / 1000)])),
  };
}

function whatGrew(parts: readonly Part[], budgets: Budgets): string {
  return parts
    .map(({ name, bytes }) => ({ name, by: round(bytes / 1000) - (budgets.parts[name] ?? 0) }))
    .filter(({ by }) => by > 0)
    .sort((a, b) => b.by - a.by)
    .map(({ name, by }) => `${name} +${by.toFixed(1)}`)
    .join(', ');
}

function sum(parts: readonly Part[]): number {
  return parts.reduce((total, { bytes }) => total + bytes, 0) / 1000;
}

function round(kb: number): number {
  return Math.round(kb * 10) / 10;
}
