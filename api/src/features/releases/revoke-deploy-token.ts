import type { DeployTokenRow } from '#api/db/schema.ts';
import type { Act } from '#api/features/audit/audit-entry.ts';
import type { Releases } from './releases.ts';
import { transact } from './transact.ts';

/**
 * Revokes a deploy token; the next request with it is refused.
 * @returns undefined when there is none of this id that works
 */
export function revokeDeployToken(
  { db }: Pick<Releases, 'db'>,
  id: string,
  { by, at }: Act,
): Promise<DeployTokenRow | undefined> {
  return transact(db, async (tx) => {
    const revoked = await tx.deployTokens.revoke(id, at);
    if (!revoked) return undefined;

    const { unit, label } = revoked;
    tx.record({ at, kind: 'deploy_token', code: 'revoked', subject: null, detail: { id, unit, label, by } });
    return revoked;
  });
}
