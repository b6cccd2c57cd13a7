import { APP_IDS } from '@app/contracts/key-system';
import { blockOf } from '#api/features/devices/block.ts';
import { createDeviceRecordsRepository } from '#api/features/devices/device-records.repository.ts';
import { eraseDevices } from '#api/features/devices/erase-devices.ts';
import { blockDevices } from '#api/features/key-system/block-devices.ts';
import { unblockDevices } from '#api/features/key-system/unblock-devices.ts';
import { OpsError, type Command } from './command.ts';
import { describeStatus, readStatus } from './device-status.ts';
import { presentRecords } from './device-export.ts';
import { ensureOfApp, findKnownDevices, ofApp } from './known-devices.ts';
import { readApp, readAuthor, readHwid, readReason, readUntil } from './read-input.ts';
import { formatTime } from './table.ts';

const status: Command = {
  usage: 'key status <hwid>',
  says: 'Where a device stands: block, open run, attempts, key, strikes, cooldowns. Both apps, unless one is named.',
  options: ['app'],
  async run(context, input) {
    const devices = ofApp(await findKnownDevices(context, readHwid(input)), readApp(input));
    const data = await Promise.all(devices.map((device) => readStatus(context, device)));
    return { data, text: data.map(describeStatus).join('\n\n') };
  },
};

const block: Command = {
  usage: 'key block <hwid>',
  says: 'Keeps a device out until a time, or for good, and ends its open run. Both apps, unless one is named.',
  options: ['reason', 'until', 'for', 'app', 'by'],
  async run(context, input) {
    const at = context.now();
    const [hwid, app] = [readHwid(input), readApp(input)];
    const [reason, until, by] = [readReason(input), readUntil(input, at), readAuthor(input, context)];

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
  },
};

const unblock: Command = {
  usage: 'key unblock <hwid>',
  says: 'Takes a block back. Both apps, unless one is named.',
  options: ['app', 'by'],
  async run(context, input) {
    const [hwid, app, by] = [readHwid(input), readApp(input), readAuthor(input, context)];
    const devices = ofApp(await findKnownDevices(context, hwid), app);

    const unblocked = await unblockDevices(
      context,
      devices.map(({ id }) => id),
      { by, at: context.now() },
    );
    if (unblocked.length === 0) throw new OpsError('This device is not blocked; nothing was changed.');

    const apps = devices.filter(({ id }) => unblocked.includes(id)).map(({ appId }) => appId);
    return { data: { apps, by }, text: `Unblocked in ${apps.join(' and ')}.` };
  },
};

const exportDevice: Command = {
  usage: 'key export <hwid>',
  says: 'All that is stored of a device, as JSON. Both apps, unless one is named.',
  options: ['app'],
  async run(context, input) {
    const devices = ofApp(await findKnownDevices(context, readHwid(input)), readApp(input));
    const records = createDeviceRecordsRepository(context.db);
    const data = await Promise.all(
      devices.map(async (device) => presentRecords(device, await records.collect(device))),
    );
    return { data, text: JSON.stringify(data, null, 2) };
  },
};

const erase: Command = {
  usage: 'key erase <hwid>',
  says: `Erases all that is stored of a device, its keys included; orders stay, without a name. Both apps, unless one is named.`,
  options: ['app', 'by'],
  async run(context, input) {
    const at = context.now();
    const [hwid, app, by] = [readHwid(input), readApp(input), readAuthor(input, context)];
    const devices = ofApp(await findKnownDevices(context, hwid), app);
    if (devices.some((device) => blockOf(device, at)))
      throw new OpsError('This device is blocked, and erasing it would lift the block. Unblock it first.');

    await eraseDevices(context, devices, { by, at });
    const apps = APP_IDS.filter((id) => devices.some(({ appId }) => appId === id));
    return { data: { apps, by }, text: `Erased from ${apps.join(' and ')}.` };
  },
};

export const DEVICE_COMMANDS: readonly Command[] = [status, block, unblock, exportDevice, erase];
