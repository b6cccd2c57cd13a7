import { PLAN_IDS, type PlanId } from '@app/contracts/active-plan';
import { Option, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { issueCodes, readCode, revokeCodes } from '#api/product/codes/codes.ts';
import { createCodesRepository, type WhichCodes } from '#api/product/codes/codes.repository.ts';
import { OpsError, UsageError, type Answer, type OpsContext, type Runners } from '#api/ops/command.ts';
import { byOption, parseCount, reasonOption } from '#api/ops/options.ts';
import { formatTable, formatTime } from '#api/ops/format.ts';

interface IssueOptions {
  reseller: string;
  plan: PlanId;
  count: number;
  by?: string | undefined;
}

interface RevokeOptions {
  batch?: string | undefined;
  code?: string | undefined;
  reason: string;
  by?: string | undefined;
}

/** Adds the commands about resellers' codes to the group `licence`. */
export function addCodeCommands(licence: CommandUnknownOpts, { onSite }: Runners): void {
  licence
    .command('issue')
    .description('make a batch of codes for a reseller and print them, this one time')
    .requiredOption('--reseller <id>', 'who sells them (required)')
    .addOption(new Option('--plan <plan>', 'what they are for (required)').choices(PLAN_IDS).makeOptionMandatory())
    .requiredOption('--count <number>', 'how many, from 1 to 1000 (required)', parseCount)
    .addOption(byOption())
    .action((options) => onSite((context) => issue(context, options)));

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
    .action((options) => onSite((context) => revoke(context, options)));
}

async function issue(context: OpsContext, { reseller, plan, count, by = context.user }: IssueOptions): Promise<Answer> {
  const batch = { resellerId: reseller, planId: plan, count };
  const issued = await issueCodes(context, batch, { by, at: context.now() });
  if (!issued) throw new OpsError(`There is no reseller ${reseller}; see: reseller list.`);

  const { batchId, codes } = issued;
  const note = `Batch ${batchId}: ${String(count)} × ${plan} for ${reseller}. The codes are not shown again.`;
  return { data: { batch: batchId, reseller, plan, codes, by }, text: [...codes, note].join('\n') };
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
  const rows = data.map((one) => [
    one.batch,
    one.reseller,
    one.plan,
    formatTime(one.issuedAt),
    one.issued,
    one.redeemed,
    one.revoked,
    one.open,
  ]);
  return {
    data,
    text: formatTable(['batch', 'reseller', 'plan', 'issued at', 'issued', 'redeemed', 'revoked', 'open'], rows),
  };
}

async function revoke(context: OpsContext, { reason, by = context.user, ...named }: RevokeOptions): Promise<Answer> {
  const which = readWhich(context, named);
  const revoked = await revokeCodes(context, which, reason, { by, at: context.now() });
  if (revoked.length === 0) throw new OpsError('No such code is open; see: licence codes.');

  return {
    data: { revoked: revoked.length, reason, by },
    text: `Revoked ${String(revoked.length)} ${revoked.length === 1 ? 'code' : 'codes'}.`,
  };
}

function readWhich({ pseudonyms }: OpsContext, { batch, code }: Pick<RevokeOptions, 'batch' | 'code'>): WhichCodes {
  if (batch !== undefined) return { batchId: batch };
  if (code === undefined) throw new UsageError('--batch or --code has to be given.');

  const text = readCode(code);
  if (text === undefined) throw new UsageError('--code is no code: it has 24 letters and digits.');
  return { codeHash: pseudonyms.code(text) };
}
