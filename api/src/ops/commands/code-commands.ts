import { PLAN_IDS } from '@app/contracts/active-plan';
import { Option, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { issueCodes, readCode, revokeCodes } from '#api/product/codes/codes.ts';
import { createCodesRepository, type WhichCodes } from '#api/product/codes/codes.repository.ts';
import { createAct, OpsError, UsageError, type Answer, type OpsContext, type Runners } from '#api/ops/command.ts';
import { byOption, reasonOption, wholeNumber } from '#api/ops/options.ts';
import { formatTime, listAnswer } from '#api/ops/format.ts';

/** Adds the commands about resellers' codes to the group `licence`. */
export function addCodeCommands(licence: CommandUnknownOpts, { onSite }: Runners): void {
  licence
    .command('issue')
    .description('make a batch of codes for a reseller and print them, this one time')
    .requiredOption('--reseller <id>', 'who sells them (required)')
    .addOption(new Option('--plan <plan>', 'what they are for (required)').choices(PLAN_IDS).makeOptionMandatory())
    .requiredOption('--count <number>', 'how many, from 1 to 1000 (required)', wholeNumber(1, 1000))
    .addOption(byOption())
    .action(({ reseller, plan, count, by }) =>
      onSite(async (context) => {
        const act = createAct(context, by);
        const issued = await issueCodes(context, { resellerId: reseller, planId: plan, count }, act);
        if (!issued) throw new OpsError(`There is no reseller ${reseller}; see: reseller list.`);

        const { batchId, codes } = issued;
        const note = `Batch ${batchId}: ${count} × ${plan} for ${reseller}. The codes are not shown again.`;
        return { data: { batch: batchId, reseller, plan, codes, by: act.by }, text: [...codes, note].join('\n') };
      }),
    );

  licence
    .command('codes')
    .description('count the codes of each batch that were issued, redeemed and revoked')
    .option('--reseller <id>', 'only those of this reseller')
    .option('--batch <id>', 'only those of this batch')
    .action(({ reseller, batch }) => onSite((context) => listBatches(context, reseller, batch)));

  licence
    .command('revoke-codes')
    .description('revoke one code, or all of a batch, that were not redeemed')
    .addOption(new Option('--batch <id>', 'all codes of this batch').conflicts('code'))
    .option('--code <code>', 'this code')
    .addOption(reasonOption())
    .addOption(byOption())
    .action(({ reason, by, ...named }) =>
      onSite(async (context) => {
        const act = createAct(context, by);
        const { length } = await revokeCodes(context, readCodeSelector(context, named), reason, act);
        if (length === 0) throw new OpsError('No such code is open; see: licence codes.');

        return {
          data: { revoked: length, reason, by: act.by },
          text: `Revoked ${length} ${length === 1 ? 'code' : 'codes'}.`,
        };
      }),
    );
}

async function listBatches({ db }: OpsContext, resellerId?: string, batchId?: string): Promise<Answer> {
  const batches = await createCodesRepository(db).countBatches({ resellerId, batchId });
  const data = batches.map(({ batchId: batch, resellerId: reseller, planId: plan, ...counts }) => ({
    batch,
    reseller,
    plan,
    ...counts,
    open: counts.issued - counts.redeemed - counts.revoked,
  }));
  return listAnswer(data, {
    batch: ({ batch }) => batch,
    reseller: ({ reseller }) => reseller,
    plan: ({ plan }) => plan,
    'issued at': ({ issuedAt }) => formatTime(issuedAt),
    issued: ({ issued }) => issued,
    redeemed: ({ redeemed }) => redeemed,
    revoked: ({ revoked }) => revoked,
    open: ({ open }) => open,
  });
}

function readCodeSelector({ pseudonyms }: OpsContext, { batch, code }: { batch?: string; code?: string }): WhichCodes {
  if (batch !== undefined) return { batchId: batch };
  if (code === undefined) throw new UsageError('--batch or --code has to be given.');

  const text = readCode(code);
  if (text === undefined) throw new UsageError('--code is no code: it has 24 letters and digits.');
  return { codeHash: pseudonyms.code(text) };
}
