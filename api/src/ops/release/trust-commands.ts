import { distrustCi, type Trust, trustCi } from '#api/delivery/deploy-tokens/trusted-ci.ts';
import { createTrustedCiRepository } from '#api/delivery/deploy-tokens/trusted-ci.repository.ts';
import { OpsError, type Answer } from '#api/ops/command.ts';
import { formatTable, formatTime } from '#api/ops/format.ts';
import { unitArgument } from './arguments.ts';
import type { AddCommands } from './command.ts';
import type { Machine } from './local-site.ts';

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
      onMachine((machine) => add(machine, { unit, issuer, repository, repositoryId, ref, environment })),
    );

  trust
    .command('list')
    .description('all of them')
    .action(() => onMachine(list));

  trust
    .command('remove')
    .description('ends one at once')
    .argument('<id>', 'its id in the list')
    .action((id) => onMachine((machine) => remove(machine, id)));
};

async function add({ db, now, user }: Machine, trust: Trust): Promise<Answer> {
  const added = await trustCi({ db }, trust, { by: user, at: now() });
  if (!('id' in added)) throw new OpsError(added.join('\n'));

  const { unit, repository, ref, environment } = trust;
  const where = environment === null ? ref : `${ref} in ${environment}`;
  return {
    data: { id: added.id, ...trust },
    text: `${repository} at ${where} may publish and change ${unit}; its pull requests may publish previews (trust ${added.id}).`,
  };
}

async function list({ db }: Machine): Promise<Answer> {
  const data = await createTrustedCiRepository(db).list();
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

async function remove({ db, now, user }: Machine, id: string): Promise<Answer> {
  const removed = await distrustCi({ db }, id, { by: user, at: now() });
  if (!removed) throw new OpsError('Nothing that is trusted has this id; see: trust list.');
  const { repository, ref, unit } = removed;
  return { data: { id }, text: `${repository} at ${ref} is no longer trusted with ${unit}.` };
}
