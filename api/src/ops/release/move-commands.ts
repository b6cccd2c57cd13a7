import { Option } from '@commander-js/extra-typings';
import { channelMoveSchema, type ChannelMove } from '@app/contracts/channel-move';
import type { ListedChannels, MovedAnswer } from '@app/contracts/registry';
import type { Unit } from '@app/contracts/release';
import * as v from 'valibot';
import { UsageError, type Answer } from '#api/ops/command.ts';
import { reasonOption } from '#api/ops/options.ts';
import { optionalVersion, percentOption, unitArgument } from './arguments.ts';
import type { AddCommands, Runners } from './command.ts';
import type { ReleaseSite } from './release-site.ts';

export const addMoveCommands: AddCommands = (program, runners) => {
  const move = (unit: Unit, wanted: ChannelMove) => runMove(runners, unit, wanted);

  program
    .command('promote')
    .description('makes a version the stable one: everybody gets it with the next page')
    .addArgument(unitArgument())
    .addArgument(optionalVersion('the canary'))
    .addOption(againOption())
    .action((unit, version, { again }) => move(unit, { action: 'promote', version, again }));

  program
    .command('rollback')
    .description('makes an earlier version the stable one, and ends a canary; what is left is never fallen back to')
    .addArgument(unitArgument())
    .addArgument(optionalVersion('the last good one'))
    .action((unit, version) => move(unit, { action: 'rollback', version }));

  program
    .command('canary')
    .description('gives a version to a share of the visitors; it ends by itself when it fails too often')
    .addArgument(unitArgument())
    .addArgument(optionalVersion('the canary, or the newest one'))
    .addOption(percentOption('--percent', 'the share, from 0.01 to 100 (required)').makeOptionMandatory())
    .addOption(againOption())
    .action((unit, version, { percent, again }) => move(unit, { action: 'canary', version, percent, again }));

  program
    .command('halt')
    .description('ends the canary: everybody gets the stable version')
    .addArgument(unitArgument())
    .addOption(reasonOption())
    .action((unit, { reason }) => move(unit, { action: 'halt', reason }));

  program
    .command('lock')
    .description('refuses all moves of a unit, by anybody; the canary still ends by itself')
    .addArgument(unitArgument())
    .addOption(reasonOption())
    .action((unit, { reason }) => move(unit, { action: 'lock', reason }));

  program
    .command('unlock')
    .description('allows the moves of a unit again')
    .addArgument(unitArgument())
    .action((unit) => move(unit, { action: 'unlock' }));
};

function againOption() {
  return new Option('--again', 'also when this version was halted; it has to be named');
}

function runMove({ onSite }: Runners, unit: Unit, wanted: ChannelMove): Promise<void> {
  const read = v.safeParse(channelMoveSchema, wanted);
  if (!read.success) throw new UsageError(`--${String(read.issues[0].path?.[0]?.key)} ${read.issues[0].message}.`);
  return onSite((site) => move(site, unit, wanted));
}

async function move(site: ReleaseSite, unit: Unit, wanted: ChannelMove): Promise<Answer> {
  const moved = await site.move(unit, wanted);
  return { data: moved, text: describeMoved(moved) };
}

/** How the channels of a unit stand after a move, in one line. */
export function describeMoved({ outcome, channels }: MovedAnswer): string {
  return `${channels.unit}: ${describeChannels(channels)}.${outcome === 'unchanged' ? ' Nothing had to be changed.' : ''}`;
}

function describeChannels({ stable, canary, lastGood, lock }: ListedChannels): string {
  return [
    `stable ${stable ?? 'none'}`,
    canary ? `canary ${canary.version} at ${String(canary.percent)} %` : 'no canary',
    `last good ${lastGood ?? 'none'}`,
    ...(lock ? [`locked by ${lock.by}: ${lock.reason}`] : []),
  ].join(', ');
}
