import type { AppId } from '@app/contracts/key-system';
import { blockOf } from '#api/product/devices/device.ts';
import { createDeviceRecordsRepository, type DeviceRecords } from '#api/product/devices/device-records.repository.ts';
import { eraseDevices } from '#api/product/devices/erase-devices.ts';
import { blockDevices, unblockDevices } from '#api/product/key-system/block-devices.ts';
import { createAct, type AddCommands, type OpsContext, OpsError, UsageError } from '#api/ops/command.ts';
import { appOption, byOption, forOption, parseHwid, reasonOption, untilOption } from '#api/ops/options.ts';
import { formatTime } from '#api/ops/format.ts';
import type { DeviceRow } from '#api/foundation/db/schema.ts';
import { createAppsRepository } from '#api/product/apps/apps.repository.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { describeStatus, PREFIX_LENGTH, readStatus } from './device-status.ts';

export const addDeviceCommands: AddCommands = (program, { onSite }) => {
  const device = program.command('device').description('one device, in all apps unless one is named');

  const command = (name: string, does: string) =>
    device.command(name).description(does).argument('<hwid>', 'the id that the app shows', parseHwid);

  command('status', 'show block, open run, attempts, key, strikes, cooldowns')
    .addOption(appOption())
    .action((hwid, { app }) =>
      onSite(async (context) => {
        const devices = await findDevices(context, hwid, app);
        const data = await Promise.all(devices.map((one) => readStatus(context, one)));
        return { data, text: data.map(describeStatus).join('\n\n') };
      }),
    );

  command('block', 'keep a device out until a time, or for good, and end its open runs')
    .addOption(reasonOption())
    .addOption(untilOption())
    .addOption(forOption())
    .addOption(appOption())
    .addOption(byOption())
    .action((hwid, { reason, app, by, until: date, for: durationMs }) =>
      onSite(async (context) => {
        const act = createAct(context, by);
        const until = durationMs === undefined ? (date ?? null) : act.at + durationMs;
        if (until !== null && until <= act.at) throw new UsageError('--until lies in the past.');

        const devices = await ensureDevices(context, hwid, app);
        await blockDevices(context, devices.map(idOf), { reason, until }, act);
        const apps = devices.map(({ appId }) => appId);
        return {
          data: { apps, reason, until, by: act.by },
          text: `Blocked in ${LIST_FORMAT.format(apps)} ${until === null ? 'for good' : `until ${formatTime(until)}`}.`,
        };
      }),
    );

  command('unblock', 'lift a block')
    .addOption(appOption())
    .addOption(byOption())
    .action((hwid, { app, by }) =>
      onSite(async (context) => {
        const act = createAct(context, by);
        const devices = await findDevices(context, hwid, app);
        const unblocked = await unblockDevices(context, devices.map(idOf), act);
        if (unblocked.length === 0) throw new OpsError('This device is not blocked; nothing was changed.');

        const apps = devices.filter(({ id }) => unblocked.includes(id)).map(({ appId }) => appId);
        return { data: { apps, by: act.by }, text: `Unblocked in ${LIST_FORMAT.format(apps)}.` };
      }),
    );

  command('export', 'print all that is stored of a device, as JSON')
    .addOption(appOption())
    .action((hwid, { app }) =>
      onSite(async (context) => {
        const devices = await findDevices(context, hwid, app);
        const records = createDeviceRecordsRepository(context.db);
        const data = await Promise.all(
          devices.map(async (one) => ({ device: presentRow(one), ...presentRecords(await records.collect(one)) })),
        );
        return { data, text: JSON.stringify(data, null, 2) };
      }),
    );

  command('erase', 'erase all that is stored of a device, its keys included; orders stay, without a name')
    .addOption(appOption())
    .addOption(byOption())
    .action((hwid, { app, by }) =>
      onSite(async (context) => {
        const act = createAct(context, by);
        const devices = await findDevices(context, hwid, app);
        if (devices.some((one) => blockOf(one, act.at)))
          throw new OpsError('This device is blocked, and erasing it would lift the block. Unblock it first.');

        await eraseDevices(context, devices, act);
        const apps = devices.map(({ appId }) => appId);
        return { data: { apps, by: act.by }, text: `Erased from ${LIST_FORMAT.format(apps)}.` };
      }),
    );
};

const LIST_FORMAT = new Intl.ListFormat('en');

const idOf = ({ id }: DeviceRow) => id;

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

/** Columns that are useless to a person and useful to a thief. */
const REDACTED_COLUMNS = new Set(['jws', 'tokenHash', 'sealedContext', 'sealedSubject', 'sealedZone', 'claimedBy']);

/** Prepares the rows of a device for an export, by their tables. */
function presentRecords(records: DeviceRecords): Record<string, unknown> {
  return Object.fromEntries(Object.entries(records).map(([table, rows]) => [table, rows.map(presentRow)]));
}

/** Shortens HMACs, and replaces secrets by a note. */
function presentRow(row: object): Record<string, unknown> {
  const present = ([name, value]: [string, unknown]) => {
    if (typeof value !== 'string') return [name, value];
    if (REDACTED_COLUMNS.has(name)) return [name, '(kept back)'];
    return [name, name.endsWith('Hmac') ? `${value.slice(0, PREFIX_LENGTH)}…` : value];
  };
  return Object.fromEntries(Object.entries(row).map(present)) as Record<string, unknown>;
}
