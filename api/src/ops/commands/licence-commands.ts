import { trimEmail } from '@app/contracts/trim-email';
import type { LicenceRow, PeriodRow } from '#api/foundation/db/schema.ts';
import { activePlan, revokePeriodByOperator } from '#api/product/licences/licence-periods.ts';
import { createLicencesRepository } from '#api/product/licences/licences.repository.ts';
import { addCodeCommands } from './code-commands.ts';
import { createAct, OpsError, type AddCommands, type Answer, type OpsContext } from '#api/ops/command.ts';
import { formatTime, listAnswer, maskEmail } from '#api/ops/format.ts';
import { byOption, reasonOption } from '#api/ops/options.ts';

export const addLicenceCommands: AddCommands = (program, runners) => {
  const licence = program.command('licence').description('paid plans, and the codes that resellers sell');

  licence
    .command('show')
    .description('show the periods and devices of a licence, or of every licence of an email address')
    .argument('<email|id>', 'an email address, or the id of a licence')
    .action((which) => runners.onSite((context) => show(context, which)));

  licence
    .command('revoke')
    .description('revoke one period; later periods move forward, and no money is given back')
    .argument('<period>', 'the id of a period, from `licence show`')
    .addOption(reasonOption())
    .addOption(byOption())
    .action((id, { reason, by }) =>
      runners.onSite(async (context) => {
        const act = createAct(context, by);
        const found = await revokePeriodByOperator(context, id, reason, act);
        if (!found) throw new OpsError('There is no such period; see: licence show.');
        if (!found.isWithdrawn) throw new OpsError('This period is revoked already; nothing was changed.');

        const { licenceId, planId } = found.period;
        return {
          data: { period: id, licence: licenceId, plan: planId, reason, by: act.by },
          text: `Revoked the period ${id} (${planId}) of licence ${licenceId}.`,
        };
      }),
    );

  addCodeCommands(licence, runners);
};

async function show(context: OpsContext, which: string): Promise<Answer> {
  const licences = createLicencesRepository(context.db);
  const found = which.includes('@')
    ? await licences.listByEmail(context.pseudonyms.email(trimEmail(which)))
    : [await licences.find(which)].filter((licence) => licence !== undefined);
  if (found.length === 0) throw new OpsError('There is no such licence; give its id, or the whole email address.');

  const data = await Promise.all(found.map((licence) => readLicence(context, licence)));
  return { data, text: data.map(describeLicence).join('\n\n') };
}

type ShownLicence = Awaited<ReturnType<typeof readLicence>>;

async function readLicence({ db, emails, now }: OpsContext, { id, emailEnc, createdAt }: LicenceRow) {
  const licences = createLicencesRepository(db);
  const periods = await licences.listPeriods(id);
  return {
    id,
    email: emailEnc === null ? null : maskEmail(emails.open(id, emailEnc)),
    createdAt,
    plan: activePlan(periods, now()),
    periods: periods.map(presentPeriod),
    devices: (await licences.listDevices(id)).map(({ deviceId: device, boundAt }) => ({ device, boundAt })),
  };
}

function presentPeriod({ id, planId: plan, startsAt, endsAt, revokedAt, revokeReason, orderId, codeId }: PeriodRow) {
  return { id, plan, startsAt, endsAt, revokedAt, revokeReason, order: orderId, code: codeId };
}

function describeLicence({ id, email, createdAt, plan, periods, devices }: ShownLicence): string {
  return [
    `Licence ${id}, since ${formatTime(createdAt)}, of ${email ?? 'no email address'}`,
    plan ? `${plan.id} until ${formatTime(plan.until)}` : 'no plan now',
    '',
    listAnswer(periods, {
      period: (period) => period.id,
      plan: (period) => period.plan,
      from: ({ startsAt }) => formatTime(startsAt),
      until: ({ endsAt }) => formatTime(endsAt),
      'paid with': ({ order, code }) => (order === null ? `code ${code ?? ''}` : `order ${order}`),
      revoked: ({ revokedAt, revokeReason }) => revokedAt && `${formatTime(revokedAt)}: ${revokeReason ?? ''}`,
    }).text,
    '',
    listAnswer(devices, { device: ({ device }) => device, since: ({ boundAt }) => formatTime(boundAt) }).text,
  ].join('\n');
}
