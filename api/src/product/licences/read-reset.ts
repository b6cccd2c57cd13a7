import type { resetDetailsSchema } from '@app/contracts/till';
import type { InferOutput } from 'valibot';
import { AppError } from '#api/foundation/http/app-error.ts';
import { findOwned } from './find-owned.ts';
import type { Licences } from './licences.ts';
import { hashLinkToken } from './link-token.ts';
import { nextReset, RESET_WINDOW_MS } from './next-reset.ts';
import { createRepositories } from './transact.ts';

/**
 * Says what a link would reset. Changes nothing.
 * @throws AppError `RST_TOKEN` when the link was used, has ended or is unknown
 */
export async function readReset(
  { db, limits, now }: Pick<Licences, 'db' | 'limits' | 'now'>,
  token: string,
): Promise<InferOutput<typeof resetDetailsSchema>> {
  const { licences, resetRequests } = createRepositories(db);
  const at = now();
  const request = await resetRequests.findOpen('reset', hashLinkToken(token), at);
  const owned = request && (await findOwned(licences, request.emailHmac, at));
  if (!owned) throw new AppError('RST_TOKEN');

  const devices = [];
  for (const { id } of owned.active) devices.push(...(await licences.listDevices(id)));
  const done = await resetRequests.listResets(owned.licenceIds, at - RESET_WINDOW_MS);
  return {
    devices: devices.map(({ boundAt }) => ({ boundAt })),
    plan: owned.plan,
    nextAt: nextReset(done, limits, at),
    expiresAt: request.expiresAt,
    now: at,
  };
}
