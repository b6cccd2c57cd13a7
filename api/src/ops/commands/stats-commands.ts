import { Argument, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { LONGEST_STATS_DAYS } from '@app/contracts/stats';
import { OpsError, type AddCommands, type Answer, type OpsContext } from '#api/ops/command.ts';
import { describeTokens } from '#api/ops/describe-tokens.ts';
import { formatTable, formatTime } from '#api/ops/format.ts';
import { byOption } from '#api/ops/options.ts';
import { daysOption, parseLabel } from '#api/ops/release/arguments.ts';
import { createAppsRepository } from '#api/product/apps/apps.repository.ts';
import { createCountsRepository, OUTCOMES } from '#api/product/stats/counts.repository.ts';
import { firstDay } from '#api/product/stats/read-stats.ts';
import { createStatsToken, revokeStatsToken } from '#api/product/stats/stats-tokens.ts';
import { createStatsTokensRepository } from '#api/product/stats/stats-tokens.repository.ts';

const WAYS = { day: 'day', step: 'step', advertiser: 'advertiserId' } as const;
type Way = keyof typeof WAYS;

export const addStatsCommands: AddCommands = (program, { onSite }) => {
  program
    .command('runs')
    .description('what became of visits to advertisers, and keys by day; days are UTC')
    .addOption(
      new Option('--days <number>', `how many days, from 1 to ${String(LONGEST_STATS_DAYS)}, today included`)
        .argParser(parseDays)
        .default(7),
    )
    .option('--app <app>', 'only this app')
    .addOption(new Option('--by <what>', 'a row for each').choices(Object.keys(WAYS) as Way[]).default('day' as const))
    .action((options) => onSite((context) => showRuns(context, options)));

  const token = program.command('stats-token').description('the tokens with which authors read the figures of an app');
  token
    .command('create')
    .description('make a token for the page /stats of one app, and show it once')
    .addArgument(new Argument('<app>', 'such as main'))
    .requiredOption('--for <label>', 'its owner, which the audit names', parseLabel)
    .addOption(daysOption())
    .addOption(byOption())
    .action((app, { for: label, days, by }) => onSite((context) => create(context, { app, label, days, by })));
  token
    .command('list')
    .description('list all tokens, without their secrets')
    .action(() => onSite(list));
  token
    .command('revoke')
    .description('end a token at once')
    .argument('<id>', 'its id in the list')
    .addOption(byOption())
    .action((id, { by }) => onSite((context) => revoke(context, id, by)));
};

async function showRuns(
  { db, now }: OpsContext,
  { days, app, by }: { days: number; app?: string | undefined; by: Way },
): Promise<Answer> {
  await requireApp(db, app);
  const counts = createCountsRepository(db);
  const question = { since: firstDay(days, now()), appId: app };
  const [rows, keys, countedUntil] = await Promise.all([
    counts.readAttempts(WAYS[by], question),
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
      formatTable(
        ['app', 'day', 'keys issued', 'withdrawn'],
        keys.map(({ appId, day, issued, withdrawn }) => [appId, day, issued, withdrawn]),
      ),
      until,
    ].join('\n\n'),
  };
}

async function create(
  { db, now, user }: OpsContext,
  { app, label, days, by = user }: { app: string; label: string; days: number; by?: string | undefined },
): Promise<Answer> {
  const created = await createStatsToken({ db }, { app, label, days }, { by, at: now() });
  if (!created) throw new OpsError(`No app has the name ${app}; see: app list.`);

  const { id, token, expiresAt } = created;
  return {
    data: { id, app, label, expiresAt, token },
    text: [
      token,
      `This is token ${id}, for the figures of ${app} alone, until ${formatTime(expiresAt)}. It is not shown again. ${label} types it at /stats, or opens /stats#token=${token}`,
    ].join('\n'),
  };
}

async function list({ db, now }: OpsContext): Promise<Answer> {
  const tokens = await createStatsTokensRepository(db).list();
  return describeTokens(
    tokens.map((token) => ({ ...token, app: token.appId })),
    'app',
    now(),
  );
}

async function revoke({ db, now, user }: OpsContext, id: string, by = user): Promise<Answer> {
  const revoked = await revokeStatsToken({ db }, id, { by, at: now() });
  if (!revoked) throw new OpsError('No token that works has this id; see: stats-token list.');
  return { data: { id }, text: `The token ${id}, which ${revoked.label} had for ${revoked.appId}, works no longer.` };
}

/** Figures of an app that is mistyped would be empty. */
async function requireApp(db: OpsContext['db'], app: string | undefined): Promise<void> {
  if (app !== undefined && !(await createAppsRepository(db).find(app)))
    throw new OpsError(`No app has the name ${app}; see: app list.`);
}

function parseDays(text: string): number {
  const days = Number(text);
  if (!/^[1-9]\d?$/.test(text) || days > LONGEST_STATS_DAYS)
    throw new InvalidArgumentError(`It is no number from 1 to ${String(LONGEST_STATS_DAYS)}.`);
  return days;
}
