import { Option } from '@commander-js/extra-typings';
import { type ChannelMove, channelMoveSchema } from '@app/contracts/channel-move';
import type { ListedChannels, MovedAnswer } from '@app/contracts/registry';
import type { Unit } from '@app/contracts/unit';
import * as v from 'valibot';
import { UsageError } from '#api/ops/command.ts';
import { reasonOption } from '#api/ops/options.ts';
import { optionalVersion, percentOption, unitArgument } from './arguments.ts';
import type { AddCommands, Runners } from './command.ts';

export const addChannelCommands: AddCommands = (program, runners) => {
  const change = (unit: Unit, wanted: ChannelMove) => runChange(runners, unit, wanted);

  program
    .command('promote')
    .description('makes a version the stable one: all visitors get it with their next page')
    .addArgument(unitArgument())
    .addArgument(optionalVersion('the canary'))
    .addOption(againOption())
    .action((unit, version, { again }) => change(unit, { action: 'promote', version, again }));

  program
    .command('rollback')
    .description(
      'makes an earlier version the stable one, and ends a canary; no page falls back to the version that was stable',
    )
    .addArgument(unitArgument())
    .addArgument(optionalVersion('the last good one'))
    .action((unit, version) => change(unit, { action: 'rollback', version }));

  program
    .command('canary')
    .description('gives a version to a share of the visitors; it ends by itself when it fails too often')
    .addArgument(unitArgument())
    .addArgument(optionalVersion('the canary, or the newest one'))
    .addOption(percentOption('--percent', 'the share, from 0.01 to 100 (required)').makeOptionMandatory())
    .addOption(againOption())
    .action((unit, version, { percent, again }) => change(unit, { action: 'canary', version, percent, again }));

  program
    .command('halt')
    .description('ends the canary: all visitors get the stable version')
    .addArgument(unitArgument())
    .addOption(reasonOption())
    .action((unit, { reason }) => change(unit, { action: 'halt', reason }));

  program
    .command('lock')
    .description('refuses all changes of the channels of a unit; the canary still ends by itself')
    .addArgument(unitArgument())
    .addOption(reasonOption())
    .action((unit, { reason }) => change(unit, { action: 'lock', reason }));

  program
    .command('unlock')
    .description('allows changes of the channels of a unit again')
    .addArgument(unitArgument())
    .action((unit) => change(unit, { action: 'unlock' }));
};

function againOption() {
  return new Option('--again', 'also a version that was halted; it has to be named');
}

function runChange({ onSite }: Runners, unit: Unit, wanted: ChannelMove): Promise<void> {
  const read = v.safeParse(channelMoveSchema, wanted);
  if (!read.success) throw new UsageError(`--${String(read.issues[0].path?.[0]?.key)} ${read.issues[0].message}.`);
  return onSite(async (site) => {
    const changed = await site.changeChannel(unit, wanted);
    return { data: changed, text: describeChange(changed) };
  });
}

/** The channels of a unit after a change, in one line, and in one each those of units that went back with it. */
export function describeChange({ outcome, channels, others }: MovedAnswer): string {
  const own = `${channels.unit}: ${describeChannels(channels)}.${outcome === 'unchanged' ? ' Nothing had to be changed.' : ''}`;
  const went = others.map(
    (other) =>
      `${other.unit} went back too, to fit this shell: ${describeChannels(other)}. Promote it again with the next shell.`,
  );
  return [own, ...went].join('\n');
}

function describeChannels({ stable, canary, lastGood, lock }: ListedChannels): string {
  return [
    `stable ${stable ?? 'none'}`,
    canary ? `canary ${canary.version} at ${String(canary.percent)} %` : 'no canary',
    `last good ${lastGood ?? 'none'}`,
    ...(lock ? [`locked by ${lock.by}: ${lock.reason}`] : []),
  ].join(', ');
}
