import type { Unit } from '@app/contracts/unit';
import { changeChannel } from '#api/delivery/channels/channel-changes.ts';
import { createDeployTokensRepository } from '#api/delivery/deploy-tokens/deploy-tokens.repository.ts';
import { collectGarbage, findGarbage } from '#api/delivery/publishing/collect-garbage.ts';
import { publishArchive } from '#api/delivery/publishing/publish-release.ts';
import { addUnit, removeUnit } from '#api/delivery/publishing/units.ts';
import { listRegistry } from '#api/delivery/registry/list-registry.ts';
import type { Refusal } from '#api/delivery/registry/refused.ts';
import { createChannelsRepository, createReleasesRepository } from '#api/delivery/registry/registry.repository.ts';
import { createWebhooksRepository } from '#api/foundation/webhooks/webhooks.repository.ts';
import { OpsError, type Answer } from '#api/ops/command.ts';
import { formatTable, formatTime } from '#api/ops/format.ts';
import { optionalVersion, unitArgument } from './arguments.ts';
import type { AddCommands, Machine, ReleaseSite } from './command.ts';

export const addMachineCommands: AddCommands = (program, { onMachine }) => {
  program
    .command('verify')
    .description('compares the files of releases on this machine with the hashes that were published')
    .addArgument(unitArgument())
    .addArgument(optionalVersion('all of them'))
    .action((unit, version) => onMachine((machine) => verify(machine, unit, version)));

  program
    .command('gc')
    .description(
      'removes releases that are older than 30 days (a shell’s with packs: a year) and that no channel has named since then',
    )
    .option('--dry-run', 'only lists them')
    .action(({ dryRun = false }) => onMachine((machine) => collect(machine, dryRun)));

  const unit = program.command('unit').description('the units, and the paths that they may claim');
  unit
    .command('list')
    .description('all of them: their paths, what visitors have, who may publish, and who is told of a halted canary')
    .action(() => onMachine(listUnits));
  unit
    .command('add')
    .description('adds one, which can then publish')
    .addArgument(unitArgument())
    .requiredOption('--paths <patterns...>', 'such as /shop "/shop/*"; a path belongs to the most specific one')
    .action((name, { paths }) => onMachine((machine) => add(machine, name, paths)));
  unit
    .command('remove')
    .description('removes one that was a mistake, with its tokens, channels and releases; it has no page any more')
    .addArgument(unitArgument())
    .action((name) => onMachine((machine) => remove(machine, name)));
};

async function verify({ db, store }: Machine, unit: Unit, version: string | undefined): Promise<Answer> {
  const rows = (await createReleasesRepository(db).list(unit)).filter(
    (row) => version === undefined || row.version === version,
  );
  if (rows.length === 0)
    throw new OpsError(`${version === undefined ? unit : `${unit}@${version}`} was never published, or was removed.`);

  const data = [];
  for (const row of rows) data.push({ unit, version: row.version, problems: await store.examine(unit, row.version) });
  return {
    data,
    text: data
      .map(({ version: found, problems }) =>
        problems.length === 0
          ? `${unit}@${found} is whole.`
          : [`${unit}@${found} is damaged:`, ...problems.map((problem) => `  ${problem}`)].join('\n'),
      )
      .join('\n'),
    isBad: data.some(({ problems }) => problems.length > 0),
  };
}

async function collect({ db, store, now, user }: Machine, dryRun: boolean): Promise<Answer> {
  const rows = dryRun ? await findGarbage({ db }, now()) : await collectGarbage({ db, store }, { by: user, at: now() });
  const data = rows.map(({ unit, version, publishedAt, bytes }) => ({ unit, version, publishedAt, bytes }));
  if (data.length === 0) return { data, text: 'Every release is still needed.' };

  const table = formatTable(
    ['unit', 'version', 'published', 'bytes'],
    data.map(({ unit, version, publishedAt, bytes }) => [unit, version, formatTime(publishedAt), bytes]),
  );
  return { data, text: `${table}\n${dryRun ? 'These would be removed.' : 'These were removed.'}` };
}

async function listUnits({ db, now }: Machine): Promise<Answer> {
  const tokens = await createDeployTokensRepository(db).list();
  const webhooks = await createWebhooksRepository(db).list();
  const data = (await createChannelsRepository(db).list()).map(({ unit, paths, channel }) => ({
    unit,
    paths,
    stable: channel.stable,
    canary: channel.canary,
    tokens: tokens
      .filter((token) => token.unit === unit && token.revokedAt === null)
      .map(({ id, label, expiresAt, lastUsedAt }) => ({ id, for: label, expiresAt, lastUsedAt })),
    // The path of an address may be a secret of its receiver.
    webhooks: webhooks
      .filter(({ scope, owner }) => scope === 'unit' && owner === unit)
      .map(({ id, url, events, disabledAt }) => ({
        id,
        host: new URL(url).host,
        events: events.split(' '),
        disabledAt,
      })),
  }));
  const lines = data.flatMap(({ unit, paths, stable, canary, tokens: own, webhooks: told }) => [
    [unit, 'paths', paths.join(' ')],
    ['', 'channels', `stable ${stable ?? 'none'}${canary === null ? '' : `, canary ${canary}`}`],
    ...own.map(({ id, for: label, expiresAt, lastUsedAt }) => [
      '',
      'token',
      `${label} (${id}), ${expiresAt <= now() ? 'ended' : 'until'} ${formatTime(expiresAt)}, ${lastUsedAt === null ? 'never used' : `last used ${formatTime(lastUsedAt)}`}`,
    ]),
    ...told.map(({ id, host, events, disabledAt }) => [
      '',
      'webhook',
      `${host} (${id}), ${events.join(', ')}${disabledAt === null ? '' : ', disabled'}`,
    ]),
  ]);
  return { data, text: formatTable(['unit', 'has', ''], lines) };
}

async function add({ db, now, user }: Machine, unit: Unit, paths: readonly string[]): Promise<Answer> {
  const problems = await addUnit({ db }, unit, paths, { by: user, at: now() });
  if (problems.length > 0) throw new OpsError(problems.join('\n'));
  return { data: { unit, paths }, text: `${unit} is a unit, and may claim ${paths.join(' ')}.` };
}

async function remove({ db, store, now, user }: Machine, unit: Unit): Promise<Answer> {
  const removed = await removeUnit({ db, store }, unit, { by: user, at: now() });
  if ('outcome' in removed) throw new OpsError(removed.problems.join('\n'));

  const versions = removed.map(({ version }) => version);
  const what = versions.length === 0 ? 'It had no release.' : `Its releases went with it: ${versions.join(', ')}.`;
  return { data: { unit, versions }, text: `${unit} is no unit any more. ${what}` };
}

/** The site of this machine. A server that runs there serves a change within a second. */
export function openLocalSite({ db, store, prerendering, now, user }: Machine): ReleaseSite {
  const refuse = ({ problems }: Refusal) => new OpsError(problems.join('\n'));

  return {
    list: () => listRegistry(db),

    async changeChannel(unit, change) {
      const registry = { refresh: () => Promise.resolve() };
      const act = { by: user, at: now() };
      const changed = await changeChannel({ db, prerendering, registry }, unit, change, act);
      if (changed.outcome === 'refused') throw refuse(changed);
      return changed;
    },

    async publish({ unit, version, pack }, { dryRun, removePages }) {
      const options = { by: user, expected: { unit, version }, dryRun, removePages };
      const published = await publishArchive({ db, store, prerendering, now }, pack(), options);
      if (published.outcome === 'refused') throw refuse(published);
      // The link of a preview is signed by the server, so --preview needs --to.
      return { ...published, preview: undefined };
    },
  };
}
