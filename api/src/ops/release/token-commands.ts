import type { Unit } from '@app/contracts/unit';
import { createDeployToken, revokeDeployToken } from '#api/delivery/deploy-tokens/deploy-tokens.ts';
import { createDeployTokensRepository } from '#api/delivery/deploy-tokens/deploy-tokens.repository.ts';
import { OpsError, type Answer } from '#api/ops/command.ts';
import { describeTokens } from '#api/ops/describe-tokens.ts';
import { formatTime } from '#api/ops/format.ts';
import { daysOption, parseLabel, unitArgument } from './arguments.ts';
import type { AddCommands } from './command.ts';
import type { Machine } from './local-site.ts';

export const addTokenCommands: AddCommands = (program, { onMachine }) => {
  const token = program.command('token').description('the tokens with which teams publish and change channels');

  token
    .command('create')
    .description('makes a deploy token for one unit, and shows it once')
    .addArgument(unitArgument())
    .requiredOption('--for <label>', 'its owner, which the audit names', parseLabel)
    .addOption(daysOption())
    .action((unit, { for: label, days }) => onMachine((machine) => create(machine, unit, label, days)));

  token
    .command('list')
    .description('all tokens, without their secrets')
    .action(() => onMachine(list));

  token
    .command('revoke')
    .description('ends a token at once')
    .argument('<id>', 'its id in the list')
    .action((id) => onMachine((machine) => revoke(machine, id)));
};

async function create({ db, now, user }: Machine, unit: Unit, label: string, days: number): Promise<Answer> {
  const created = await createDeployToken({ db }, { unit, label, days }, { by: user, at: now() });
  if (!created) throw new OpsError(`No unit has the name ${unit}; see: unit list.`);

  const { id, token, expiresAt } = created;
  return {
    data: { id, unit, label, expiresAt, token },
    text: [
      token,
      `This is token ${id}, for ${unit} alone, until ${formatTime(expiresAt)}. It is not shown again: hand it to ${label} as RELEASE_TOKEN.`,
    ].join('\n'),
  };
}

async function list({ db, now }: Machine): Promise<Answer> {
  return describeTokens(await createDeployTokensRepository(db).list(), 'unit', now());
}

async function revoke({ db, now, user }: Machine, id: string): Promise<Answer> {
  const revoked = await revokeDeployToken({ db }, id, { by: user, at: now() });
  if (!revoked) throw new OpsError('No token that works has this id; see: token list.');
  return { data: { id }, text: `The token ${id}, which ${revoked.label} had for ${revoked.unit}, works no longer.` };
}
