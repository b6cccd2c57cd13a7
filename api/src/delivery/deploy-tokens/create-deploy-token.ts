import { randomBytes } from 'node:crypto';
import type { Unit } from '@app/contracts/release';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { generateDeployToken, hashDeployToken } from './deploy-token.ts';
import type { Releases } from '#api/delivery/rendering/releases.ts';
import { transact } from '#api/delivery/registry/transact.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A token that was just made. Nobody can read its text again. */
export interface CreatedToken {
  id: string;
  token: string;
  expiresAt: number;
}

/**
 * Makes a deploy token for one unit.
 * @param label who gets it; it is named as the one who published and moved
 * @returns undefined when there is no such unit
 */
export function createDeployToken(
  { db }: Pick<Releases, 'db'>,
  { unit, label, days }: { unit: Unit; label: string; days: number },
  { by, at }: Act,
): Promise<CreatedToken | undefined> {
  return transact(db, async (tx) => {
    if (!(await tx.channels.find(unit))) return undefined;

    const id = randomBytes(6).toString('hex');
    const token = generateDeployToken();
    const expiresAt = at + days * DAY_MS;
    await tx.deployTokens.add({
      id,
      unit,
      hash: hashDeployToken(token),
      label,
      createdAt: at,
      createdBy: by,
      expiresAt,
    });
    tx.record({
      at,
      kind: 'deploy_token',
      code: 'created',
      subject: null,
      detail: { id, unit, label, until: new Date(expiresAt).toISOString(), by },
    });
    return { id, token, expiresAt };
  });
}
