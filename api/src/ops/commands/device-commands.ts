import { APP_IDS, type AppId } from '@app/contracts/key-system';
import { blockOf } from '#api/product/devices/block.ts';
import { createDeviceRecordsRepository } from '#api/product/devices/device-records.repository.ts';
import { eraseDevices } from '#api/product/devices/erase-devices.ts';
import { blockDevices } from '#api/product/key-system/block-devices.ts';
import { unblockDevices } from '#api/product/key-system/unblock-devices.ts';
import { OpsError, UsageError, type AddCommands, type Answer, type OpsContext } from '#api/ops/command.ts';
import { describeStatus, readStatus } from './device-status.ts';
import { presentRecords } from './device-export.ts';
import { ensureOfApp, findKnownDevices, ofApp } from './known-devices.ts';
import { appOption, byOption, forOption, parseHwid, reasonOption, untilOption } from '#api/ops/options.ts';
import { formatTime } from '#api/ops/table.ts';

interface BlockOptions {
  reason: string;
  until?: number | undefined;
  /** The length of the block, in milliseconds. */
  for?: number | undefined;
  app?: AppId | undefined;
  by?: string | undefined;
}

export const addDeviceCommands: AddCommands = (program, { onSite }) => {
  const device = program.command('device').description('one device, in both apps unless one is named');

  device
    .command('status')
    .description('block, open run, attempts, key, strikes, cooldowns')
    .argument('<hwid>', 'the id that the app shows', parseHwid)
    .addOption(appOption())
    .action((hwid, { app }) => onSite((context) => showStatus(context, hwid, app)));

  device
    .command('block')
    .description('keeps a device out until a time, or for good, and ends its open runs')
    .argument('<hwid>', 'the id that the app shows', parseHwid)
    .addOption(reasonOption())
    .addOption(untilOption())
    .addOption(forOption())
    .addOption(appOption())
    .addOption(byOption())
    .action((hwid, options) => onSite((context) => block(context, hwid, options)));

  device
    .command('unblock')
    .description('takes a block back')
    .argument('<hwid>', 'the id that the app shows', parseHwid)
    .addOption(appOption())
    .addOption(byOption())
    .action((hwid, { app, by }) => onSite((context) => unblock(context, hwid, app, by)));

  device
    .command('export')
    .description('all that is stored of a device, as JSON')
    .argument('<hwid>', 'the id that the app shows', parseHwid)
    .addOption(appOption())
    .action((hwid, { app }) => onSite((context) => exportRecords(context, hwid, app)));

  device
    .command('erase')
    .description('erases all that is stored of a device, its keys included; orders stay, without a name')
    .argument('<hwid>', 'the id that the app shows', parseHwid)
    .addOption(appOption())
    .addOption(byOption())
    .action((hwid, { app, by }) => onSite((context) => erase(context, hwid, app, by)));
};

async function showStatus(context: OpsContext, hwid: string, app: AppId | undefined): Promise<Answer> {
  const devices = ofApp(await findKnownDevices(context, hwid), app);
  const data = await Promise.all(devices.map((device) => readStatus(context, device)));
  return { data, text: data.map(describeStatus).join('\n\n') };
}

async function block(context: OpsContext, hwid: string, options: BlockOptions): Promise<Answer> {
  const at = context.now();
  const { reason, app, by = context.user } = options;
  const until = options.for === undefined ? (options.until ?? null) : at + options.for;
  if (until !== null && until <= at) throw new UsageError('--until lies in the past.');

  const devices = await ensureOfApp(context, await findKnownDevices(context, hwid), app);
  await blockDevices(
    context,
    devices.map(({ id }) => id),
    { reason, until },
    { by, at },
  );
  const apps = devices.map(({ appId }) => appId);
  return {
    data: { apps, reason, until, by },
    text: `Blocked in ${apps.join(' and ')} ${until === null ? 'for good' : `until ${formatTime(until)}`}.`,
  };
}

async function unblock(context: OpsContext, hwid: string, app: AppId | undefined, by = context.user): Promise<Answer> {
  const devices = ofApp(await findKnownDevices(context, hwid), app);
  const unblocked = await unblockDevices(
    context,
    devices.map(({ id }) => id),
    { by, at: context.now() },
  );
  if (unblocked.length === 0) throw new OpsError('This device is not blocked; nothing was changed.');

  const apps = devices.filter(({ id }) => unblocked.includes(id)).map(({ appId }) => appId);
  return { data: { apps, by }, text: `Unblocked in ${apps.join(' and ')}.` };
}

async function exportRecords(context: OpsContext, hwid: string, app: AppId | undefined): Promise<Answer> {
  const devices = ofApp(await findKnownDevices(context, hwid), app);
  const records = createDeviceRecordsRepository(context.db);
  const data = await Promise.all(devices.map(async (device) => presentRecords(device, await records.collect(device))));
  return { data, text: JSON.stringify(data, null, 2) };
}

async function erase(context: OpsContext, hwid: string, app: AppId | undefined, by = context.user): Promise<Answer> {
  const at = context.now();
  const devices = ofApp(await findKnownDevices(context, hwid), app);
  if (devices.some((device) => blockOf(device, at)))
    throw new OpsError('This device is blocked, and erasing it would lift the block. Unblock it first.');

  await eraseDevices(context, devices, { by, at });
  const apps = APP_IDS.filter((id) => devices.some(({ appId }) => appId === id));
  return { data: { apps, by }, text: `Erased from ${apps.join(' and ')}.` };
}
