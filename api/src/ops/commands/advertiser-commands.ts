import { Argument } from '@commander-js/extra-typings';
import { ADVERTISER_IDS, ADVERTISER_NAMES, type AdvertiserId } from '@app/contracts/key-system';
import { createAdvertisersRepository } from '#api/product/advertisers/advertisers.repository.ts';
import { enableAdvertiser } from '#api/product/advertisers/advertisers.service.ts';
import { OpsError, type AddCommands, type Answer, type OpsContext } from '#api/ops/command.ts';
import { byOption } from '#api/ops/options.ts';
import { formatTable, formatTime } from '#api/ops/format.ts';

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

  advertiser
    .command('on')
    .description('send visitors to an advertiser again')
    .addArgument(advertiserArgument())
    .addOption(byOption())
    .action((id, { by }) => onSite((context) => turn(context, id, true, by)));

  advertiser
    .command('off')
    .description('send no more visitors to an advertiser; those who are there may come back')
    .addArgument(advertiserArgument())
    .addOption(byOption())
    .action((id, { by }) => onSite((context) => turn(context, id, false, by)));
};

const advertiserArgument = () => new Argument('<advertiser>').choices(ADVERTISER_IDS);

async function list({ db }: OpsContext): Promise<Answer> {
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
}

async function turn(context: OpsContext, id: AdvertiserId, on: boolean, by = context.user): Promise<Answer> {
  const isChanged = await enableAdvertiser(context, id, on, { by, at: context.now() });
  if (!isChanged) throw new OpsError(`${ADVERTISER_NAMES[id]} is ${on ? 'on' : 'off'} already; nothing was changed.`);

  return { data: { id, on, by }, text: `${ADVERTISER_NAMES[id]} is ${on ? 'on' : 'off'}.` };
}
