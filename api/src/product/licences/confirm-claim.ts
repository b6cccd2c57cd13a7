import type { claimedSchema } from '@app/contracts/till';
import type { InferOutput } from 'valibot';
import { buildDeviceAdded } from '#api/product/mail/mails.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import { activePlan } from './licence-periods.ts';
import type { Licences } from './licences.ts';
import { shortenHwid } from './link-device-cipher.ts';
import { openClaim } from './open-claim.ts';
import { transact } from './transact.ts';

/**
 * Adds the device of a link to its licence. A device that is there already stays as it is.
 * @returns the plan that the device has now
 * @throws AppError `RST_TOKEN` when the link was used, has ended or is unknown, or the plan has ended; `CLM_FULL` when
 *   the licence has no place left, and then the link still works
 */
export async function confirmClaim(
  deps: Omit<Licences, 'baseUrl'>,
  token: string,
): Promise<InferOutput<typeof claimedSchema>> {
  const { db, emails, pseudonyms, mailQueue, limits, now } = deps;

  const claimed = await transact(db, async (tx) => {
    const at = now();
    const { request, licence, hwid } = await openClaim(tx, deps, token, at);
    const hwidHmac = pseudonyms.hwid(hwid);
    // The device is locked before the licence, as in every transaction.
    const { id: deviceId } = await tx.devices.ensure('main', hwidHmac, at);
    await tx.licences.lock(licence.id);
    if (!(await tx.resetRequests.use(request.id, at))) throw new AppError('RST_TOKEN');

    const own = activePlan(await tx.licences.listPeriods(licence.id), at);
    if (!own) throw new AppError('RST_TOKEN');

    const bound = await tx.licences.listDevices(licence.id);
    if (!bound.some((binding) => binding.deviceId === deviceId)) {
      if (bound.length >= limits.devicesPerLicence) throw new AppError('CLM_FULL');

      await tx.licences.bind(licence.id, deviceId, at);
      tx.record({ at, kind: 'licence', code: 'claimed', subject: deviceId, detail: { licence: licence.id } });
      const mail = buildDeviceAdded({ to: emails.ownerOf(licence), device: shortenHwid(hwid), until: own.until });
      await mailQueue.add(tx, mail, at);
    }
    const plan = activePlan(await tx.licences.listPeriodsOfDevice(hwidHmac, at), at) ?? own;
    return { plan, now: at };
  });
  mailQueue.wake();
  return claimed;
}
