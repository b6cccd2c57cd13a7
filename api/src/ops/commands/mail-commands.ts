import { createMailsRepository } from '#api/product/mail/mails.repository.ts';
import type { AddCommands } from '#api/ops/command.ts';
import { linesOption } from '#api/ops/options.ts';
import { formatTime, listAnswer } from '#api/ops/format.ts';

export const addMailCommands: AddCommands = (program, { onSite }) => {
  const mail = program.command('mail').description('the queue of mails');

  mail
    .command('list')
    .description('list the waiting mails without address and text: how often they were tried, and why that failed')
    .addOption(linesOption())
    .action(({ lines }) =>
      onSite(async ({ db }) =>
        listAnswer(await createMailsRepository(db).listOpen(lines), {
          mail: ({ id }) => id,
          kind: ({ kind }) => kind,
          since: ({ createdAt }) => formatTime(createdAt),
          tries: ({ tries }) => tries,
          'next try': ({ nextTryAt }) => formatTime(nextTryAt),
          'why it failed': ({ error }) => error,
        }),
      ),
    );

  mail
    .command('send')
    .description('make all waiting mails due now, such as after the mail server was away; tries are counted anew')
    .action(() =>
      onSite(async ({ db, now }) => {
        const count = await createMailsRepository(db).makeDue(now());
        const due = count === 1 ? '1 mail is due now' : `${count} mails are due now`;
        return { data: { due: count }, text: `${due}. A server that runs sends what is due within 30 seconds.` };
      }),
    );
};
