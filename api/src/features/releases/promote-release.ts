import type { Unit } from '@app/contracts/release';
import type { Act } from '#api/features/audit/audit-entry.ts';
import type { Releases } from './releases.ts';
import { transact } from './transact.ts';

export type Moved = { outcome: 'moved' | 'unchanged' } | { outcome: 'refused'; problems: string[] };

/** Makes a release the stable one of its unit. Everybody gets it with the next page. */
export async function promoteRelease(
  { db }: Pick<Releases, 'db'>,
  unit: Unit,
  version: string,
  { by, at }: Act,
): Promise<Moved> {
  return transact(db, async (tx): Promise<Moved> => {
    await tx.channels.begin();
    const found = await tx.channels.find(unit);
    if (!found || !(await tx.releases.find(unit, version)))
      return { outcome: 'refused', problems: [`${unit}@${version} was never published`] };

    const { stable, canary } = found.channel;
    if (stable === version) return { outcome: 'unchanged' };

    if (stable !== null) await tx.releases.markStable(unit, stable, at);
    await tx.releases.markStable(unit, version, at);
    await tx.releases.markWithdrawn(unit, version, null);
    const isCanary = canary === version;
    await tx.channels.save(unit, {
      stable: version,
      ...(isCanary && { canary: null, canaryShare: null, canarySince: null }),
      movedBy: by,
      movedAt: at,
    });
    tx.record({ at, kind: 'channel', code: 'promoted', subject: null, detail: { unit, version, from: stable, by } });
    return { outcome: 'moved' };
  });
}
