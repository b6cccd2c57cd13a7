import { findContractProblem } from '@app/contracts/contract-fit';
import { releaseSchema, SHELL, type Release } from '@app/contracts/release';
import * as v from 'valibot';
import { findPathOwner } from './path-claims.ts';
import type { Repositories } from './transact.ts';

/** Finds why a release cannot be published: its unit, the paths that it claims, and the contract with the others. */
export async function findReleaseProblems({ channels, releases }: Repositories, release: Release): Promise<string[]> {
  const units = await channels.list();
  if (!units.some(({ unit }) => unit === release.unit)) return [`No unit has the name ${release.unit}`];

  const claims = release.routes.flatMap(({ path }) => {
    const owner = findPathOwner(units, path);
    if (owner === release.unit) return [];
    return [owner ? `${path} belongs to ${owner}` : `${path} cannot be the path of a page`];
  });

  const others: string[] = [];
  for (const { unit, channel } of units) {
    if ((unit === SHELL) === (release.unit === SHELL) || channel.stable === null) continue;
    const row = await releases.find(unit, channel.stable);
    if (!row) continue;
    const other = v.parse(releaseSchema, JSON.parse(row.manifest));
    const [shell, remote] = unit === SHELL ? [other, release] : [release, other];
    const problem = findContractProblem(shell.contract, remote.contract);
    if (problem) others.push(`${remote.unit}@${remote.version} ${problem} (${shell.unit}@${shell.version})`);
  }
  return [...claims, ...others];
}
