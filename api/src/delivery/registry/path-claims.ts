import type { Unit } from '@app/contracts/release';

/** A unit and the patterns of the paths that it may claim. */
export interface PathOwner {
  unit: Unit;
  paths: readonly string[];
}

/** Paths of the server and of files. No page has one, and unknown ones among them answer 404. */
export const NEVER_PAGES = /^\/(api|releases|dev|content|download|healthz|readyz|\.well-known)(\/|$)|\.[A-Za-z0-9]+$/i;
const PATH = /^\/[A-Za-z0-9/_-]*$/;

/**
 * Finds which unit may claim a path: the one with the most specific pattern that matches it. A pattern is the more
 * specific the more characters it has before its first `*`.
 * @returns undefined when no unit may
 */
export function findPathOwner(owners: readonly PathOwner[], path: string): Unit | undefined {
  if (!PATH.test(path) || NEVER_PAGES.test(path)) return undefined;

  let best: { unit: Unit; weight: number } | undefined;
  for (const { unit, paths } of owners)
    for (const pattern of paths) {
      if (!matches(pattern, path)) continue;
      const weight = pattern.includes('*') ? pattern.indexOf('*') : Infinity;
      if (!best || weight > best.weight) best = { unit, weight };
    }
  return best?.unit;
}

function matches(pattern: string, path: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === path;
  return path.startsWith(start) && path.length >= pattern.length - 1 && path.endsWith(rest.at(-1) ?? '');
}
