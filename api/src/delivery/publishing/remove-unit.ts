import { SHELL, type Unit } from '@app/contracts/release';
import type { ReleaseRow } from '#api/foundation/db/schema.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { rollBack } from '#api/foundation/audit/transact.ts';
import { readServed } from '#api/delivery/registry/find-misfits.ts';
import { describeLock } from '#api/delivery/channels/move-channels.ts';
import { refuse, type Refused } from '#api/delivery/registry/refused.ts';
import type { Releases } from '#api/delivery/rendering/releases.ts';
import { removeFiles } from './remove-files.ts';
import { transactMove } from '#api/delivery/registry/transact-move.ts';

/**
 * Removes a unit that was a mistake, with its channels, tokens and releases, first from the registry and then from the
 * disk. A pin of it names nothing any more. Its paths are free again.
 * @returns the releases that went; or why it stays: visitors have a page of it that no other unit has
 */
export async function removeUnit(
  { db, store }: Pick<Releases, 'db' | 'store'>,
  unit: Unit,
  { by, at }: Act,
): Promise<ReleaseRow[] | Refused> {
  if (unit === SHELL) return refuse('impossible', 'The shell is in every page');

  const removed = await transactMove<ReleaseRow[] | Refused>(db, async (tx) => {
    const found = await tx.channels.find(unit);
    if (!found) return rollBack(refuse('unknown', `No unit has the name ${unit}`));
    if (found.channel.lockReason !== null) return rollBack(describeLock(found));

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
