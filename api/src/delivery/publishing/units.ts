import { SHELL, type Unit } from '@app/contracts/unit';
import { refuseLocked, transactChange } from '#api/delivery/channels/change-channels.ts';
import {
  createDeployTokensRepository,
  createTrustedPublishersRepository,
} from '#api/delivery/deploy-tokens/deploy-tokens.repository.ts';
import { readServed } from '#api/delivery/registry/compatibility.ts';
import { refuse, type Refusal } from '#api/delivery/registry/refused.ts';
import { createReleasesRepository } from '#api/delivery/registry/registry.repository.ts';
import type { ReleaseStore } from '#api/delivery/store/release-store.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { rollBack, type RepositoryFactories } from '#api/foundation/audit/transact.ts';
import type { Db, ReleaseRow } from '#api/foundation/db/schema.ts';
import { createWebhooksRepository } from '#api/foundation/webhooks/webhooks.repository.ts';
import { removeFiles } from './collect-garbage.ts';

/** A path, or a beginning of paths with `*` for what follows. */
const PATH_PATTERN = /^\/[A-Za-z0-9/_-]*\*?$/;

/** @returns why the unit was not added, a sentence each */
export function addUnit({ db }: { db: Db }, unit: Unit, paths: readonly string[], { by, at }: Act): Promise<string[]> {
  const problems = paths
    .filter((path) => !PATH_PATTERN.test(path))
    .map((path) => `${path} is no path such as /shop, nor a beginning of paths such as /shop/*`);
  if (problems.length > 0) return Promise.resolve(problems);

  return transactChange<RepositoryFactories, string[]>(db, {}, async (tx) => {
    const units = await tx.channels.list();
    const taken = paths.flatMap((path) =>
      units.filter((other) => other.paths.includes(path)).map((other) => `${path} belongs to ${other.unit}`),
    );
    if (units.some((other) => other.unit === unit)) taken.push(`There is a unit ${unit} already`);
    if (taken.length > 0) return rollBack(taken);

    await tx.channels.addUnit(unit, paths, at);
    tx.record({
      at,
      kind: 'release',
      code: 'unit added',
      subject: null,
      detail: { unit, paths: paths.join(' '), by },
    });
    return [];
  });
}

/** Removes a unit that was a mistake, unless visitors have a page of it that no other unit has. */
export async function removeUnit(
  { db, store }: { db: Db; store: ReleaseStore },
  unit: Unit,
  { by, at }: Act,
): Promise<ReleaseRow[] | Refusal> {
  if (unit === SHELL) return refuse('impossible', 'The shell is in every page');

  const needs = {
    releases: createReleasesRepository,
    deployTokens: createDeployTokensRepository,
    webhooks: createWebhooksRepository,
    trustedPublishers: createTrustedPublishersRepository,
  };
  const removed = await transactChange<typeof needs, ReleaseRow[] | Refusal>(db, needs, async (tx) => {
    const found = await tx.channels.find(unit);
    if (!found) return rollBack(refuse('unknown', `No unit has the name ${unit}`));
    if (found.channel.lockReason !== null) return rollBack(refuseLocked(found));

    const served = [...(await readServed(tx))];
    const pagesOf = (isOwn: boolean) =>
      served
        .filter(([other]) => (other === unit) === isOwn)
        .flatMap(([, releases]) => releases.flatMap(({ routes }) => routes.map(({ path }) => path)));
    const elsewhere = new Set(pagesOf(false));
    const live = [...new Set(pagesOf(true))].filter((path) => !elsewhere.has(path));
    if (live.length > 0)
      return rollBack(
        refuse('impossible', ...live.map((path) => `${path} is a page of ${unit}, and no other unit has it`)),
      );

    const releases = await tx.releases.list(unit);
    await tx.channels.remove(unit);
    await tx.deployTokens.removeAll(unit);
    await tx.webhooks.removeAllOf('unit', unit);
    await tx.trustedPublishers.removeAll(unit);
    for (const { version } of releases) await tx.releases.remove(unit, version);
    await tx.channels.removeUnit(unit);
    const versions = releases.map(({ version }) => version).join(' ');
    tx.record({ at, kind: 'release', code: 'unit removed', subject: null, detail: { unit, versions, by } });
    return releases;
  });
  if ('outcome' in removed) return removed;

  await removeFiles({ db, store }, removed);
  return removed;
}
