import type { AppId } from '@app/contracts/key-system';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import { revokeKeys } from '#api/product/keys/revoke-keys.ts';
import { OpsError, type AddCommands, type Answer, type OpsContext } from '#api/ops/command.ts';
import { findDevices } from './device-commands.ts';
import { appOption, byOption, parseHwid, reasonOption } from '#api/ops/options.ts';

interface RevokeOptions {
  reason: string;
  app?: AppId | undefined;
  by?: string | undefined;
}

export const addKeyCommands: AddCommands = (program, { onSite }) => {
  program
    .command('key')
    .description('the keys that devices have')
    .command('revoke')
    .description('end one key, or every valid key of a device (in the main app, unless another is named)')
    .argument('<jti|hwid>', 'the id of a key, or of a device', parseHwid)
    .addOption(reasonOption())
    .addOption(appOption())
    .addOption(byOption())
    .action((id, options) => onSite((context) => revoke(context, id, options)));
};

async function revoke(
  context: OpsContext,
  id: string,
  { reason, app, by = context.user }: RevokeOptions,
): Promise<Answer> {
  const act = { by, at: context.now() };

  const key = await createKeysRepository(context.db).find(id);
  if (key && app !== undefined && key.appId !== app)
    throw new OpsError(`This key is of the ${key.appId} app; nothing was changed.`);

  const [device] = key ? [] : await findDevices(context, id, app ?? 'main');
  const which = device ? { deviceIds: [device.id] } : { jti: id };
  const revoked = await revokeKeys(context, which, reason, act);
  if (revoked.length === 0)
    throw new OpsError(
      key
        ? 'This key is revoked already; nothing was changed.'
        : 'This device has no key that works; nothing was changed.',
    );

  const keys = revoked.map(({ jti, appId }) => ({ jti, app: appId }));
  return {
    data: { keys, reason, by },
    text: keys.map(({ jti, app: of }) => `Revoked ${jti} of the ${of} app.`).join('\n'),
  };
}
