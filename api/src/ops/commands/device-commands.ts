import type { AppId } from '@app/contracts/key-system';
import { blockOf } from '#api/product/devices/device.ts';
import { createDeviceRecordsRepository, type DeviceRecords } from '#api/product/devices/device-records.repository.ts';
import { eraseDevices } from '#api/product/devices/erase-devices.ts';
import { blockDevices, unblockDevices } from '#api/product/key-system/block-devices.ts';
import { type AddCommands, type Answer, type OpsContext, OpsError, UsageError } from '#api/ops/command.ts';
import { appOption, byOption, forOption, parseHwid, reasonOption, untilOption } from '#api/ops/options.ts';
import { formatTime } from '#api/ops/format.ts';
import type { DeviceRow } from '#api/foundation/db/schema.ts';
import { createAppsRepository } from '#api/product/apps/apps.repository.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { describeStatus, PREFIX_LENGTH, readStatus } from './device-status.ts';

interface BlockOptions {
  reason: string;
  until?: number | undefined;
  /** The length of the block, in milliseconds. */
  for?: number | undefined;
  app?: AppId | undefined;
  by?: string | undefined;
}

export const addDeviceCommands: AddCommands = (program, { onSite }) => {
  const device = program.command('device').description('one device, in all apps unless one is named');

  device
    .command('status')
    .description('show block, open run, attempts, key, strikes, cooldowns')
    .argument('<hwid>', 'the id that the app shows', parseHwid)
    .addOption(appOption())
    .action((hwid, { app }) => onSite((context) => showStatus(context, hwid, app)));

  device
    .command('block')
    .description('keep a device out until a time, or for good, and end its open runs')
    .argument('<hwid>', 'the id that the app shows', parseHwid)
    .addOption(reasonOption())
    .addOption(untilOption())
    .addOption(forOption())
    .addOption(appOption())
    .addOption(byOption())
    .action((hwid, options) => onSite((context) => block(context, hwid, options)));

  device
    .command('unblock')
    .description('lift a block')
    .argument('<hwid>', 'the id that the app shows', parseHwid)
    .addOption(appOption())
    .addOption(byOption())
    .action((hwid, { app, by }) => onSite((context) => unblock(context, hwid, app, by)));

  device
    .command('export')
    .description('print all that is stored of a device, as JSON')
    .argument('<hwid>', 'the id that the app shows', parseHwid)
    .addOption(appOption())
    .action((hwid, { app }) => onSite((context) => exportRecords(context, hwid, app)));

  device
    .command('erase')
    .description('erase all that is stored of a device, its keys included; orders stay, without a name')
    .argument('<hwid>', 'the id that the app shows', parseHwid)
    .addOption(appOption())
    .addOption(byOption())
    .action((hwid, { app, by }) => onSite((context) => erase(context, hwid, app, by)));
};

async function showStatus(context: OpsContext, hwid: string, app: AppId | undefined): Promise<Answer> {
  const devices = await findDevices(context, hwid, app);
  const data = await Promise.all(devices.map((device) => readStatus(context, device)));
  return { data, text: data.map(describeStatus).join('\n\n') };
}

async function block(context: OpsContext, hwid: string, options: BlockOptions): Promise<Answer> {
  const at = context.now();
  const { reason, app, by = context.user } = options;
  const until = options.for === undefined ? (options.until ?? null) : at + options.for;
  if (until !== null && until <= at) throw new UsageError('--until lies in the past.');

  const devices = await ensureDevices(context, hwid, app);
  await blockDevices(
    context,
    devices.map(({ id }) => id),
    { reason, until },
    { by, at },
  );
  const apps = devices.map(({ appId }) => appId);
  return {
    data: { apps, reason, until, by },
    text: `Blocked in ${LIST.format(apps)} ${until === null ? 'for good' : `until ${formatTime(until)}`}.`,
  };
}

async function unblock(context: OpsContext, hwid: string, app: AppId | undefined, by = context.user): Promise<Answer> {
  const devices = await findDevices(context, hwid, app);
  const unblocked = await unblockDevices(
    context,
    devices.map(({ id }) => id),
    { by, at: context.now() },
  );
  if (unblocked.length === 0) throw new OpsError('This device is not blocked; nothing was changed.');

  const apps = devices.filter(({ id }) => unblocked.includes(id)).map(({ appId }) => appId);
  return { data: { apps, by }, text: `Unblocked in ${LIST.format(apps)}.` };
}

async function exportRecords(context: OpsContext, hwid: string, app: AppId | undefined): Promise<Answer> {
  const devices = await findDevices(context, hwid, app);
  const records = createDeviceRecordsRepository(context.db);
  const data = await Promise.all(devices.map(async (device) => presentRecords(device, await records.collect(device))));
  return { data, text: JSON.stringify(data, null, 2) };
}

async function erase(context: OpsContext, hwid: string, app: AppId | undefined, by = context.user): Promise<Answer> {
  const at = context.now();
  const devices = await findDevices(context, hwid, app);
  if (devices.some((device) => blockOf(device, at)))
    throw new OpsError('This device is blocked, and erasing it would lift the block. Unblock it first.');

  await eraseDevices(context, devices, { by, at });
  const apps = devices.map(({ appId }) => appId);
  return { data: { apps, by }, text: `Erased from ${LIST.format(apps)}.` };
}

/**
 * Finds the rows of a device: the one of the named app, or those of all apps.
 * @throws OpsError when the app never sent this id: it is probably mistyped
 */
export async function findDevices(
  { db, pseudonyms }: OpsContext,
  hwid: string,
  app: AppId | undefined,
): Promise<DeviceRow[]> {
  const devices = await createDevicesRepository(db).findAll(pseudonyms.hwid(hwid));
  if (devices.length === 0) throw new OpsError('No device with this id has been here; nothing was changed.');

  const found = devices.filter(({ appId }) => app === undefined || appId === app);
  if (found.length === 0) throw new OpsError(`This device has not been in the ${app ?? ''} app; nothing was changed.`);

  return found;
}

/** Finds the row of a known device in the named app, or in all apps, and inserts those that are missing. */
async function ensureDevices(context: OpsContext, hwid: string, app: AppId | undefined): Promise<DeviceRow[]> {
  const known = await findDevices(context, hwid, undefined);
  const { db, pseudonyms, now } = context;
  const apps = (await createAppsRepository(db).list()).map(({ id }) => id);
  if (app !== undefined && !apps.includes(app)) throw new OpsError(`There is no app ${app}; see: app list.`);

  const devices = createDevicesRepository(db);
  const ensured: DeviceRow[] = [];
  for (const appId of app === undefined ? apps : [app])
    ensured.push(
      known.find((device) => device.appId === appId) ?? (await devices.ensure(appId, pseudonyms.hwid(hwid), now())),
    );
  return ensured;
}

const LIST = new Intl.ListFormat('en');

/** Columns that are useless to a person and useful to a thief. */
const KEPT_BACK = new Set(['jws', 'tokenHash', 'sealedContext', 'sealedSubject', 'sealedZone', 'claimedBy']);

/** Prepares a device's rows for an export: shortens HMACs, and replaces secrets by a note. */
function presentRecords(device: DeviceRow, records: DeviceRecords): Record<string, unknown> {
  const tables = Object.entries(records).map(([table, rows]) => [table, rows.map(presentRow)]);
  return { device: presentRow({ ...device }), ...(Object.fromEntries(tables) as object) };
}

function presentRow(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, presentValue(name, value)]));
}

function presentValue(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (KEPT_BACK.has(name)) return '(kept back)';

  return name.endsWith('Hmac') ? `${value.slice(0, PREFIX_LENGTH)}…` : value;
}
