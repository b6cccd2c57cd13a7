import type { DeployTokenRow } from '#api/foundation/db/schema.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import type { Releases } from '#api/delivery/rendering/releases.ts';
import { transact } from '#api/delivery/registry/transact.ts';

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
