import { createMailsRepository } from '#api/product/mail/mails.repository.ts';
import type { AddCommands, Answer, OpsContext } from '#api/ops/command.ts';
import { linesOption } from '#api/ops/options.ts';
import { formatTable, formatTime } from '#api/ops/format.ts';

export const addMailCommands: AddCommands = (program, { onSite }) => {
  const mail = program.command('mail').description('the queue of mails');

  mail
    .command('list')
    .description('list the waiting mails without address and text: how often they were tried, and why that failed')
    .addOption(linesOption())
    .action(({ lines }) => onSite((context) => list(context, lines)));

  mail
    .command('send')
    .description('make all waiting mails due now, such as after the mail server was away; tries are counted anew')
    .action(() => onSite(send));
};

async function list({ db }: OpsContext, lines: number): Promise<Answer> {
  const data = await createMailsRepository(db).listOpen(lines);
  const rows = data.map(({ id, kind, createdAt, tries, nextTryAt, error }) => [
    id,
    kind,
    formatTime(createdAt),
    tries,
    formatTime(nextTryAt),
    error ?? '',
  ]);
  return { data, text: formatTable(['mail', 'kind', 'since', 'tries', 'next try', 'why it failed'], rows) };
}

async function send({ db, now }: OpsContext): Promise<Answer> {
  const count = await createMailsRepository(db).makeDue(now());
  const due = count === 1 ? '1 mail is due now' : `${String(count)} mails are due now`;
  return { data: { due: count }, text: `${due}. A server that runs sends what is due within 30 seconds.` };
}
