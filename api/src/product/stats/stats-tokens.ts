import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { rollBack, transact } from '#api/foundation/audit/transact.ts';
import {
  type CreatedToken,
  createBearerToken,
  hashBearerToken,
  readBearer,
} from '#api/foundation/crypto/bearer-token.ts';
import type { Db, StatsTokenRow } from '#api/foundation/db/schema.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import { createAppsRepository } from '#api/product/apps/apps.repository.ts';
import { createStatsTokensRepository } from './stats-tokens.repository.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How often the use of a token is noted at most. */
const USE_NOTE_INTERVAL_MS = 60_000;

/**
 * Makes a token that reads the figures of one app, and nothing else.
 * @param label its owner, for the list and the audit
 * @returns undefined when there is no such app
 */
export function createStatsToken(
  { db }: { db: Db },
  { app, label, days }: { app: string; label: string; days: number },
  { by, at }: Act,
): Promise<CreatedToken | undefined> {
  return transact(db, { tokens: createStatsTokensRepository, apps: createAppsRepository }, async (tx) => {
    if (!(await tx.apps.find(app))) return rollBack(undefined);

    const { id, token, hash } = createBearerToken('stats_');
    const expiresAt = at + days * DAY_MS;
    await tx.tokens.add({ id, appId: app, hash, label, createdAt: at, createdBy: by, expiresAt });
    const detail = { id, app, label, until: new Date(expiresAt).toISOString(), by };
    tx.record({ at, kind: 'stats_token', code: 'created', subject: null, detail });
    return { id, token, expiresAt };
  });
}

/** Undefined when no token that was not revoked has this id. */
export function revokeStatsToken({ db }: { db: Db }, id: string, { by, at }: Act): Promise<StatsTokenRow | undefined> {
  return transact(db, { tokens: createStatsTokensRepository }, async (tx) => {
    const revoked = await tx.tokens.revoke(id, at);
    if (!revoked) return undefined;

    const { appId: app, label } = revoked;
    tx.record({ at, kind: 'stats_token', code: 'revoked', subject: null, detail: { id, app, label, by } });
    return revoked;
  });
}

/**
 * Finds the app whose figures a request may read, and notes the use of its token.
 * @param authorization the header of the request
 * @throws AppError when it has no token that works
 */
export async function readAppOf(
  { db, at }: { db: Db; at: number },
  authorization: string | undefined,
): Promise<string> {
  const tokens = createStatsTokensRepository(db);
  const hash = hashBearerToken('stats_', readBearer(authorization));
  const token = hash && (await tokens.findByHash(hash));
  if (!token) throw new AppError('stats.token_unknown');
  if (token.revokedAt !== null || token.expiresAt <= at) throw new AppError('stats.token_expired');

  if ((token.lastUsedAt ?? 0) <= at - USE_NOTE_INTERVAL_MS) await tokens.noteUse(token.id, at);
  return token.appId;
}
