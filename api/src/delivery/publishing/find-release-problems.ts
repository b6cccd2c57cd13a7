import type { Release } from '@app/contracts/release';
import { findNewMisfits, readServed, withRelease } from '#api/delivery/registry/find-misfits.ts';
import { findPathOwner } from '#api/delivery/registry/path-claims.ts';
import type { Repositories } from '#api/delivery/registry/transact.ts';

/**
 * Finds why a release cannot be published: its unit, the paths that it claims, and its host API with everything that
 * visitors get of other units.
 * @param isMovedNext whether the host API is left to the move that follows
 */
export async function findReleaseProblems(
  repositories: Pick<Repositories, 'channels' | 'releases'>,
  release: Release,
  { isMovedNext }: { isMovedNext: boolean },
): Promise<string[]> {
  const units = await repositories.channels.list();
  if (!units.some(({ unit }) => unit === release.unit)) return [`No unit has the name ${release.unit}`];

  const claims = release.routes.flatMap(({ path }) => {
    const owner = findPathOwner(units, path);
    if (owner === release.unit) return [];
    return [owner ? `${path} belongs to ${owner}` : `${path} cannot be the path of a page`];
  });
  if (isMovedNext) return claims;

  const served = await readServed(repositories);
  return [...claims, ...findNewMisfits(served, withRelease(served, release))];
}
