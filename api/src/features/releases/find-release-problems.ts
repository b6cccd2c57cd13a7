import type { Release } from '@app/contracts/release';
import { findNewMisfits, readServed, withRelease } from './find-misfits.ts';
import { findPathOwner } from './path-claims.ts';
import type { Repositories } from './transact.ts';

/** Finds why a release cannot be published: its unit, the paths that it claims, and whether it fits what visitors get. */
export async function findReleaseProblems({ channels, releases }: Repositories, release: Release): Promise<string[]> {
  const units = await channels.list();
  if (!units.some(({ unit }) => unit === release.unit)) return [`No unit has the name ${release.unit}`];

  const claims = release.routes.flatMap(({ path }) => {
    const owner = findPathOwner(units, path);
    if (owner === release.unit) return [];
    return [owner ? `${path} belongs to ${owner}` : `${path} cannot be the path of a page`];
  });

  const served = await readServed({ channels, releases });
  return [...claims, ...findNewMisfits(served, withRelease(served, release))];
}
