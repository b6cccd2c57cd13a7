import type { Release } from '@app/contracts/release';
import type { Served } from '#api/delivery/registry/find-misfits.ts';
import { listPairs, nameOfPair, nameOfRelease, type Pair } from '#api/delivery/rendering/pairs.ts';
import { describeThrown, type Prerendering, type Thrown } from '#api/delivery/rendering/prerendering.ts';

/** More pages than these help nobody. */
const MOST_TOLD = 10;

type Try = Pick<Prerendering, 'tryPairs'>;

/** The remotes in shells that a change of what is served brings together. */
export function listNewPairs(before: Served, after: Served): Pair[] {
  const known = new Set(listPairs(before).map(nameOfPair));
  return listPairs(after).filter((pair) => !known.has(nameOfPair(pair)));
}

/**
 * Finds the pages that throw in what a change of what is served brings together. A page that throws already for the
 * visitors of today does not count: nobody else could repair anything before its team does.
 * @param folders where the releases lie that the store does not have yet
 * @returns a sentence with the stack for each; and why pages could not be rendered though none throws
 */
export async function findThrowingPages(
  { tryPairs }: Try,
  before: Served,
  after: Served,
  folders?: ReadonlyMap<Release, string>,
): Promise<{ problems: string[]; failures: string[] }> {
  const { thrown, failures } = await tryPairs(listNewPairs(before, after), folders);
  if (thrown.length === 0) return { problems: [], failures };

  const known = new Set((await tryPairs(listPairs(before))).thrown.map(nameOfThrown));
  const fresh = thrown.filter((page) => !known.has(nameOfThrown(page)));
  return { problems: fresh.slice(0, MOST_TOLD).map(describeThrown), failures };
}

function nameOfThrown({ remote, path = '' }: Thrown): string {
  return `${nameOfRelease(remote)} ${path}`;
}
