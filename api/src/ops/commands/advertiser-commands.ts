import { Argument } from '@commander-js/extra-typings';
import { ADVERTISER_IDS, ADVERTISER_NAMES } from '@app/contracts/advertisers';
import { createAdvertisersRepository } from '#api/product/advertisers/advertisers.repository.ts';
import { enableAdvertiser } from '#api/product/advertisers/advertisers.service.ts';
import { createAct, OpsError, type AddCommands, type Answer, type OpsContext } from '#api/ops/command.ts';
import { byOption } from '#api/ops/options.ts';
import { formatTime, listAnswer } from '#api/ops/format.ts';

export const addAdvertiserCommands: AddCommands = (program, { onSite }) => {
  const advertiser = program
    .command('advertiser')
    .description('the advertisers: where visitors are sent, and which of them fail');

  advertiser
    .command('list')
    .description(
      'list the advertisers: whether they get visitors, whether they answer, what proves a visit, the least time it takes',
    )
    .action(() => onSite(list));

  for (const [state, description] of [
    ['on', 'send visitors to an advertiser again'],
    ['off', 'send no more visitors to an advertiser; those who are there may come back'],
  ] as const)
    advertiser
      .command(state)
      .description(description)
      .addArgument(new Argument('<advertiser>').choices(ADVERTISER_IDS))
      .addOption(byOption())
      .action((id, options) =>
        onSite(async (context) => {
          const act = createAct(context, options.by);
          const isChanged = await enableAdvertiser(context, id, state === 'on', act);
          if (!isChanged) throw new OpsError(`${ADVERTISER_NAMES[id]} is ${state} already; nothing was changed.`);

          return { data: { id, on: state === 'on', by: act.by }, text: `${ADVERTISER_NAMES[id]} is ${state}.` };
        }),
      );
};

async function list({ db }: OpsContext): Promise<Answer> {
  const rows = await createAdvertisersRepository(db).list();
  return listAnswer(
    rows.map(({ enabled, ...row }) => ({ ...row, on: enabled === 1 })),
    {
      advertiser: ({ id }) => id,
      is: ({ on }) => (on ? 'on' : 'off'),
      health: ({ failingSince }) => (failingSince === null ? 'well' : `failing since ${formatTime(failingSince)}`),
      proof: ({ proof }) => proof,
      dwell: ({ minDwellMs }) => `${minDwellMs / 1000} s`,
    },
  );
}
