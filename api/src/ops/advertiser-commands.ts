import { ADVERTISER_IDS, ADVERTISER_NAMES } from '@app/contracts/key-system';
import { createAdvertisersRepository } from '#api/features/advertisers/advertisers.repository.ts';
import { enableAdvertiser } from '#api/features/advertisers/enable-advertiser.ts';
import { OpsError, UsageError, type Answer, type Command, type Input, type OpsContext } from './command.ts';
import { readAuthor } from './read-input.ts';
import { formatTable, formatTime } from './table.ts';

const list: Command = {
  usage: 'key advertisers',
  says: 'The advertisers: whether visitors are sent there, whether they answer, what proves a visit, and the least time it takes.',
  options: [],
  async run({ db }) {
    const data = (await createAdvertisersRepository(db).list()).map(({ enabled, ...row }) => ({
      ...row,
      on: enabled === 1,
    }));
    const rows = data.map(({ id, on, failingSince, proof, minDwellMs }) => [
      id,
      on ? 'on' : 'off',
      failingSince === null ? 'well' : `failing since ${formatTime(failingSince)}`,
      proof,
      `${String(minDwellMs / 1000)} s`,
    ]);
    return { data, text: formatTable(['advertiser', 'is', 'health', 'proof', 'dwell'], rows) };
  },
};

const turnOn: Command = {
  usage: 'key advertisers on <advertiser>',
  says: 'Sends visitors to an advertiser again.',
  options: ['by'],
  run: (context, input) => turn(context, input, true),
};

const turnOff: Command = {
  usage: 'key advertisers off <advertiser>',
  says: 'Sends no more visitors to an advertiser; those who are there may come back.',
  options: ['by'],
  run: (context, input) => turn(context, input, false),
};

async function turn(context: OpsContext, input: Input, on: boolean): Promise<Answer> {
  const [word = ''] = input.words;
  const by = readAuthor(input, context);
  const id = ADVERTISER_IDS.find((known) => known === word);
  if (!id) throw new UsageError(`${JSON.stringify(word)} is none of ${ADVERTISER_IDS.join(', ')}.`);

  const isChanged = await enableAdvertiser(context, id, on, { by, at: context.now() });
  if (!isChanged) throw new OpsError(`${ADVERTISER_NAMES[id]} is ${on ? 'on' : 'off'} already; nothing was changed.`);
  return { data: { id, on, by }, text: `${ADVERTISER_NAMES[id]} is ${on ? 'on' : 'off'}.` };
}

/** Longer names first, for the shorter one is their beginning. */
export const ADVERTISER_COMMANDS: readonly Command[] = [turnOn, turnOff, list];
