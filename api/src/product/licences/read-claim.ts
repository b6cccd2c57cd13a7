import type { claimDetailsSchema } from '@app/contracts/till';
import type { InferOutput } from 'valibot';
import { AppError } from '#api/foundation/http/app-error.ts';
import { activePlan } from './licence-periods.ts';
import type { Licences } from './licences.ts';
import { shortenHwid } from './link-device-cipher.ts';
import { openClaim } from './open-claim.ts';
import { createRepositories } from './transact.ts';

/**
 * Says what a link would add to a plan. Changes nothing.
 * @throws AppError `RST_TOKEN` when the link was used, has ended or is unknown, or the plan has ended
 */
export async function readClaim(
  deps: Pick<Licences, 'db' | 'linkDevices' | 'limits' | 'now'>,
  token: string,
): Promise<InferOutput<typeof claimDetailsSchema>> {
  const repositories = createRepositories(deps.db);
  const at = deps.now();
  const { request, licence, hwid } = await openClaim(repositories, deps, token, at);
  const plan = activePlan(await repositories.licences.listPeriods(licence.id), at);
  if (!plan) throw new AppError('RST_TOKEN');

  const bound = await repositories.licences.listDevices(licence.id);
  const places = deps.limits.devicesPerLicence;
  return {
    device: shortenHwid(hwid),
    plan,
    freePlaces: Math.max(places - bound.length, 0),
    places,
    isBound: bound.some(({ deviceId }) => deviceId === request.deviceId),
    expiresAt: request.expiresAt,
    now: at,
  };
}
