import { Option } from '@commander-js/extra-typings';
import { MAX_STATS_DAYS } from '@app/contracts/stats';
import { createAct, OpsError, type AddCommands, type Answer, type OpsContext } from '#api/ops/command.ts';
import { describeTokens } from '#api/ops/describe-tokens.ts';
import { formatTable, formatTime, listAnswer } from '#api/ops/format.ts';
import { byOption, wholeNumber } from '#api/ops/options.ts';
import { daysOption, parseLabel } from '#api/ops/release/arguments.ts';
import { createAppsRepository } from '#api/product/apps/apps.repository.ts';
import { createCountsRepository, OUTCOMES } from '#api/product/stats/counts.repository.ts';
import { firstDay } from '#api/product/stats/read-stats.ts';
import { createStatsToken, revokeStatsToken } from '#api/product/stats/stats-tokens.ts';
import { createStatsTokensRepository } from '#api/product/stats/stats-tokens.repository.ts';

const GROUP_COLUMNS = { day: 'day', step: 'step', advertiser: 'advertiserId' } as const;
type Grouping = keyof typeof GROUP_COLUMNS;

export const addStatsCommands: AddCommands = (program, { onSite }) => {
  program
    .command('runs')
    .description('what became of visits to advertisers, and keys by day; days are UTC')
    .addOption(
      new Option('--days <number>', `how many days, from 1 to ${MAX_STATS_DAYS}, today included`)
        .argParser(wholeNumber(1, MAX_STATS_DAYS))
        .default(7),
    )
    .option('--app <app>', 'only this app')
    .addOption(
      new Option('--by <what>', 'a row for each')
        .choices(Object.keys(GROUP_COLUMNS) as Grouping[])
        .default('day' as const),
    )
    .action((options) => onSite((context) => showRuns(context, options)));

  const token = program.command('stats-token').description('the tokens with which authors read the figures of an app');
  token
    .command('create')
    .description('make a token for the page /stats of one app, and show it once')
    .argument('<app>', 'such as main')
    .requiredOption('--for <label>', 'its owner, which the audit names', parseLabel)
    .addOption(daysOption())
    .addOption(byOption())
    .action((app, { for: label, days, by }) =>
      onSite(async (context) => {
        const created = await createStatsToken(context, { app, label, days }, createAct(context, by));
        if (!created) throw createUnknownAppError(app);

        const { id, token: text, expiresAt } = created;
        return {
          data: { id, app, label, expiresAt, token: text },
          text: `${text}\nThis is token ${id}, for the figures of ${app} alone, until ${formatTime(expiresAt)}. It is not shown again. ${label} types it at /stats, or opens /stats#token=${text}`,
        };
      }),
    );
  token
    .command('list')
    .description('list all tokens, without their secrets')
    .action(() =>
      onSite(async ({ db, now }) => {
        const tokens = await createStatsTokensRepository(db).list();
        return describeTokens(
          tokens.map((one) => ({ ...one, app: one.appId })),
          'app',
          now(),
        );
      }),
    );
  token
    .command('revoke')
    .description('end a token at once')
    .argument('<id>', 'its id in the list')
    .addOption(byOption())
    .action((id, { by }) =>
      onSite(async (context) => {
        const revoked = await revokeStatsToken(context, id, createAct(context, by));
        if (!revoked) throw new OpsError('No token that works has this id; see: stats-token list.');
        return {
          data: { id },
          text: `The token ${id}, which ${revoked.label} had for ${revoked.appId}, works no longer.`,
        };
      }),
    );
};

async function showRuns(
  { db, now }: OpsContext,
  { days, app, by }: { days: number; app?: string | undefined; by: Grouping },
): Promise<Answer> {
  // Figures of an app that is mistyped would be empty.
  if (app !== undefined && !(await createAppsRepository(db).find(app))) throw createUnknownAppError(app);
  const counts = createCountsRepository(db);
  const question = { since: firstDay(days, now()), appId: app };
  const [rows, keys, countedUntil] = await Promise.all([
    counts.readAttempts(GROUP_COLUMNS[by], question),
    counts.readKeys(question),
    counts.readUntil('attempts', 'issued', 'withdrawn'),
  ]);
  const until = countedUntil === 0 ? 'Nothing is counted yet.' : `Counted until ${formatTime(countedUntil)}.`;

  return {
    data: {
      from: question.since,
      countedUntil,
      by,
      rows: rows.map(({ appId, of, ...sums }) => ({ app: appId, [by]: of, ...sums })),
      keys: keys.map(({ appId, ...key }) => ({ app: appId, ...key })),
    },
    text: [
      formatTable(
        ['app', by, ...OUTCOMES],
        rows.map((row) => [row.appId, row.of, ...OUTCOMES.map((outcome) => row[outcome])]),
      ),
      listAnswer(keys, {
        app: ({ appId }) => appId,
        day: ({ day }) => day,
        'keys issued': ({ issued }) => issued,
        withdrawn: ({ withdrawn }) => withdrawn,
      }).text,
      until,
    ].join('\n\n'),
  };
}

function createUnknownAppError(name: string): OpsError {
  return new OpsError(`No app has the name ${name}; see: app list.`);
}
