import { createKeysRepository } from '#api/features/keys/keys.repository.ts';
import { revokeKeys } from '#api/features/keys/revoke-keys.ts';
import { createSigningKeysRepository } from '#api/features/keys/signing-keys.repository.ts';
import { OpsError, type Command } from './command.ts';
import { findKnownDevices, ofApp } from './known-devices.ts';
import { readApp, readAuthor, readHwid, readReason } from './read-input.ts';
import { formatTable, formatTime } from './table.ts';

const revoke: Command = {
  usage: 'key revoke <jti|hwid>',
  says: 'Ends one key by its jti, or every key of a device that still works (of the main app, unless another is named).',
  options: ['reason', 'app', 'by'],
  async run(context, input) {
    const [word, app = 'main'] = [readHwid(input), readApp(input)];
    const [reason, act] = [readReason(input), { by: readAuthor(input, context), at: context.now() }];

    const isKey = (await createKeysRepository(context.db).find(word)) !== undefined;
    const [device] = isKey ? [] : ofApp(await findKnownDevices(context, word), app);
    const which = device ? { deviceIds: [device.id] } : { jti: word };
    const revoked = await revokeKeys(context, which, reason, act);
    if (revoked.length === 0)
      throw new OpsError(
        isKey
          ? 'This key is revoked already; nothing was changed.'
          : 'This device has no key that works; nothing was changed.',
      );

    const keys = revoked.map(({ jti, appId }) => ({ jti, app: appId }));
    return {
      data: { keys, reason, by: act.by },
      text: keys.map(({ jti, app: of }) => `Revoked ${jti} of the ${of} app.`).join('\n'),
    };
  },
};

const list: Command = {
  usage: 'key keys',
  says: 'The keys that sign, signed or will sign.',
  options: [],
  async run({ db }) {
    const data = (await createSigningKeysRepository(db).list()).map(({ kid, alg, status, notBefore, notAfter }) => ({
      kid,
      alg,
      status,
      notBefore,
      notAfter,
    }));
    const rows = data.map(({ kid, alg, status, notBefore, notAfter }) => [
      kid,
      alg,
      status,
      formatTime(notBefore),
      notAfter === null ? '' : formatTime(notAfter),
    ]);
    return { data, text: formatTable(['kid', 'algorithm', 'status', 'since', 'published until'], rows) };
  },
};

const rotate: Command = {
  usage: 'key rotate',
  says: 'Makes and publishes the next signing key; typed again 24 hours later it puts that in place, for the next start.',
  options: [],
  async run({ rotateKey }) {
    if (!rotateKey)
      throw new OpsError(
        'The settings name the signing keys: name the next one in NEXT_SIGNING_KEY_FILE and restart; 24 hours later in SIGNING_KEY_FILE.',
      );

    const data = await rotateKey();
    const { kid, signsFrom, isInPlace } = data;
    return {
      data,
      text: isInPlace
        ? `${kid} is in place. Restart the server, and it signs.`
        : `${kid} is published and may sign from ${formatTime(signsFrom)} on; then type this again.`,
    };
  },
};

export const KEY_COMMANDS: readonly Command[] = [revoke, list, rotate];
