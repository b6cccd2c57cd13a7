import type { Unit } from '@app/contracts/unit';
import {
  createDeployTokensRepository,
  createTrustedPublishersRepository,
} from '#api/delivery/deploy-tokens/deploy-tokens.repository.ts';
import { createDeployToken, revokeDeployToken } from '#api/delivery/deploy-tokens/deploy-tokens.ts';
import {
  removeTrustedPublisher,
  type TrustedPublisher,
  addTrustedPublisher,
} from '#api/delivery/deploy-tokens/trusted-publishers.ts';
import { OpsError, type Answer } from '#api/ops/command.ts';
import { describeTokens } from '#api/ops/describe-tokens.ts';
import { formatTable, formatTime } from '#api/ops/format.ts';
import { daysOption, parseLabel, unitArgument } from './arguments.ts';
import type { AddCommands, Machine } from './command.ts';

export const addTokenCommands: AddCommands = (program, { onMachine }) => {
  const token = program.command('token').description('the tokens with which teams publish and change channels');

  token
    .command('create')
    .description('makes a deploy token for one unit, and shows it once')
    .addArgument(unitArgument())
    .requiredOption('--for <label>', 'its owner, which the audit names', parseLabel)
    .addOption(daysOption())
    .action((unit, { for: label, days }) => onMachine((machine) => createToken(machine, unit, label, days)));

  token
    .command('list')
    .description('all tokens, without their secrets')
    .action(() => onMachine(listTokens));

  token
    .command('revoke')
    .description('ends a token at once')
    .argument('<id>', 'its id in the list')
    .action((id) => onMachine((machine) => revokeToken(machine, id)));
};

async function createToken({ db, now, user }: Machine, unit: Unit, label: string, days: number): Promise<Answer> {
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

async function listTokens({ db, now }: Machine): Promise<Answer> {
  return describeTokens(await createDeployTokensRepository(db).list(), 'unit', now());
}

async function revokeToken({ db, now, user }: Machine, id: string): Promise<Answer> {
  const revoked = await revokeDeployToken({ db }, id, { by: user, at: now() });
  if (!revoked) throw new OpsError('No token that works has this id; see: token list.');
  return { data: { id }, text: `The token ${id}, which ${revoked.label} had for ${revoked.unit}, works no longer.` };
}

export const addTrustCommands: AddCommands = (program, { onMachine }) => {
  const trust = program.command('trust').description('the CI jobs that publish and change units without a token');

  trust
    .command('add')
    .description('trusts the jobs of one branch with a unit, and those of pull requests with its previews')
    .addArgument(unitArgument())
    .requiredOption('--issuer <address>', 'of their ID tokens, such as https://token.actions.githubusercontent.com')
    .requiredOption('--repository <name>', 'exactly as their tokens have it, such as org/news')
    .option(
      '--repository-id <number>',
      'the id of the repository (GitHub) or project (GitLab), so that no other one with this name is trusted (default: that of its first job)',
    )
    .requiredOption('--ref <ref>', 'such as refs/heads/main')
    .option('--environment <name>', 'only jobs in this environment of the CI')
    .action((unit, { issuer, repository, repositoryId, ref, environment = null }) =>
      onMachine((machine) => addTrust(machine, { unit, issuer, repository, repositoryId, ref, environment })),
    );

  trust
    .command('list')
    .description('all of them')
    .action(() => onMachine(listTrusted));

  trust
    .command('remove')
    .description('ends one at once')
    .argument('<id>', 'its id in the list')
    .action((id) => onMachine((machine) => removeTrust(machine, id)));
};

async function addTrust({ db, now, user }: Machine, trust: TrustedPublisher): Promise<Answer> {
  const added = await addTrustedPublisher({ db }, trust, { by: user, at: now() });
  if (!('id' in added)) throw new OpsError(added.join('\n'));

  const { unit, repository, ref, environment } = trust;
  const where = environment === null ? ref : `${ref} in ${environment}`;
  return {
    data: { id: added.id, ...trust },
    text: `${repository} at ${where} may publish and change ${unit}; its pull requests may publish previews (trust ${added.id}).`,
  };
}

async function listTrusted({ db }: Machine): Promise<Answer> {
  const data = await createTrustedPublishersRepository(db).list();
  const rows = data.map(({ id, unit, repository, repositoryId, ref, environment, issuer, createdAt, createdBy }) => [
    id,
    unit,
    repository,
    repositoryId,
    ref,
    environment,
    issuer,
    `${formatTime(createdAt)} by ${createdBy}`,
  ]);
  return {
    data,
    text: formatTable(['id', 'unit', 'repository', 'its id', 'ref', 'environment', 'issuer', 'since'], rows),
  };
}

async function removeTrust({ db, now, user }: Machine, id: string): Promise<Answer> {
  const removed = await removeTrustedPublisher({ db }, id, { by: user, at: now() });
  if (!removed) throw new OpsError('Nothing that is trusted has this id; see: trust list.');
  const { repository, ref, unit } = removed;
  return { data: { id }, text: `${repository} at ${ref} is no longer trusted with ${unit}.` };
}
