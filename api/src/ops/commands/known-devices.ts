import { APP_IDS, type AppId } from '@app/contracts/key-system';
import type { DeviceRow } from '#api/foundation/db/schema.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { OpsError, type OpsContext } from '#api/ops/command.ts';

/**
 * Finds the rows of a device in all apps.
 * @throws OpsError when no app has ever sent this id: it is probably mistyped
 */
export async function findKnownDevices({ db, pseudonyms }: OpsContext, hwid: string): Promise<DeviceRow[]> {
  const devices = await createDevicesRepository(db).findAll(pseudonyms.hwid(hwid));
  if (devices.length === 0) throw new OpsError('No device with this id has been here; nothing was changed.');

  return devices;
}

/**
 * Picks the row of the named app, or the rows of all apps.
 * @throws OpsError when the device was never in the named app
 */
export function ofApp(devices: readonly DeviceRow[], app: AppId | undefined): DeviceRow[] {
  const found = devices.filter(({ appId }) => app === undefined || appId === app);
  if (found.length === 0) throw new OpsError(`This device has not been in the ${app ?? ''} app; nothing was changed.`);

  return found;
}

/** Finds the device's row in the named app, or in all apps, and inserts those that are missing. */
export async function ensureOfApp(
  { db, now }: OpsContext,
  devices: readonly DeviceRow[],
  app: AppId | undefined,
): Promise<{ appId: AppId; id: string }[]> {
  const [known] = devices;
  if (!known) return [];

  const ensured: { appId: AppId; id: string }[] = [];
  for (const appId of app === undefined ? APP_IDS : [app]) {
    const found = devices.find((device) => device.appId === appId);
    ensured.push({
      appId,
      id: found?.id ?? (await createDevicesRepository(db).ensure(appId, known.hwidHmac, now())).id,
    });
  }
  return ensured;
}
