import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import { revokeKeys } from '#api/product/keys/revoke-keys.ts';
import { createAct, type AddCommands, OpsError } from '#api/ops/command.ts';
import { findDevices } from './device-commands.ts';
import { appOption, byOption, parseHwid, reasonOption } from '#api/ops/options.ts';

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
    .action((id, { reason, app, by }) =>
      onSite(async (context) => {
        const act = createAct(context, by);
        const key = await createKeysRepository(context.db).find(id);
        if (key && app !== undefined && key.appId !== app)
          throw new OpsError(`This key is of the ${key.appId} app; nothing was changed.`);

        const [device] = key ? [] : await findDevices(context, id, app ?? 'main');
        const revoked = await revokeKeys(context, device ? { deviceIds: [device.id] } : { jti: id }, reason, act);
        if (revoked.length === 0)
          throw new OpsError(
            `This ${key ? 'key is revoked already' : 'device has no key that works'}; nothing was changed.`,
          );

        return {
          data: { keys: revoked.map(({ jti, appId }) => ({ jti, app: appId })), reason, by: act.by },
          text: revoked.map(({ jti, appId }) => `Revoked ${jti} of the ${appId} app.`).join('\n'),
        };
      }),
    );
};
