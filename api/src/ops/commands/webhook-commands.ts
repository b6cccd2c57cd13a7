import type { AppId } from '@app/contracts/key-system';
import { unitSchema } from '@app/contracts/release';
import { WEBHOOK_EVENTS, type WebhookEvent, type WebhookScope } from '@app/contracts/webhooks';
import { Option } from '@commander-js/extra-typings';
import { createChannelsRepository } from '#api/delivery/registry/registry.repository.ts';
import type { WebhookRow } from '#api/foundation/db/schema.ts';
import { addWebhook, removeWebhook, resendDeliveries, testWebhook } from '#api/foundation/webhooks/change-webhooks.ts';
import { findUrlProblem, LEADS_INSIDE, NOT_PUBLIC } from '#api/foundation/webhooks/post-webhook.ts';
import { createWebhooksRepository } from '#api/foundation/webhooks/webhooks.repository.ts';
import { createAppsRepository } from '#api/product/apps/apps.repository.ts';
import { OpsError, UsageError, type AddCommands, type Answer, type OpsContext } from '#api/ops/command.ts';
import { formatTable, formatTime } from '#api/ops/format.ts';
import { byOption, linesOption, parseAppId, parseWith } from '#api/ops/options.ts';

interface AddOptions {
  app?: AppId | undefined;
  unit?: string | undefined;
  url: string;
  events?: string[] | undefined;
  by?: string | undefined;
}

export const addWebhookCommands: AddCommands = (program, { onSite }) => {
  const webhook = program.command('webhook').description('the addresses that are told of keys and canaries');

  webhook
    .command('add')
    .description(
      'have an address told of the keys of an app, or of the canaries of a unit; the secret that signs is shown once',
    )
    .addOption(new Option('--app <app>', 'told of its keys').argParser(parseAppId).conflicts('unit'))
    .addOption(new Option('--unit <unit>', 'told of its canaries').argParser(parseWith(unitSchema)))
    .requiredOption('--url <address>', 'such as https://hooks.example/keys')
    .option(
      '--events <names...>',
      `of an app ${WEBHOOK_EVENTS.app.join(', ')}; of a unit ${WEBHOOK_EVENTS.unit.join(', ')} (default: all of them)`,
    )
    .addOption(byOption())
    .action((options) => onSite((context) => add(context, options)));

  webhook
    .command('list')
    .description('list the webhooks: whether they work, what waits for them and what was given up')
    .action(() => onSite(list));

  webhook
    .command('log')
    .description('list the newest deliveries of a webhook: when, how often tried, what came of it')
    .argument('<id>', 'its id in the list')
    .addOption(linesOption())
    .action((id, { lines }) => onSite((context) => log(context, id, lines)));

  webhook
    .command('test')
    .description('send a message of the type webhook.test at once, and say what its receiver answers')
    .argument('<id>', 'its id in the list')
    .action((id) => onSite((context) => test(context, id)));

  webhook
    .command('resend')
    .description('send one delivery again, or all of a webhook that wait or were given up; a disabled one works again')
    .argument('<id>', 'the id of a delivery, or of a webhook')
    .addOption(byOption())
    .action((id, { by }) => onSite((context) => resend(context, id, by)));

  webhook
    .command('remove')
    .description('remove a webhook with all that waits for it and its log')
    .argument('<id>', 'its id in the list')
    .addOption(byOption())
    .action((id, { by }) => onSite((context) => remove(context, id, by)));
};

async function add(context: OpsContext, { url, by = context.user, ...options }: AddOptions): Promise<Answer> {
  const { db, now, webhooks } = context;
  const [scope, owner] = readOwner(options);
  const problem = findUrlProblem(url, webhooks.addresses);
  if (problem !== undefined) throw new UsageError(`--url: ${problem}.`);
  const events = readEvents(scope, options.events);
  if (scope === 'unit' && !(await createChannelsRepository(db).find(owner)))
    throw new OpsError(`No unit has the name ${owner}; see: npm run release -- unit list.`);
  if (scope === 'app' && !(await createAppsRepository(db).find(owner)))
    throw new OpsError(`No app has the id ${owner}; see: app list.`);

  const order = { scope, owner, url, events };
  const added = await addWebhook({ db, signer: webhooks.signer }, order, { by, at: now() });
  if (!added) throw new OpsError('There are as many webhooks as there may be; remove one first.');
  return {
    data: { ...added, ...order, by },
    text: [
      added.secret,
      `This is the secret of webhook ${added.id}. It is not shown again: the receiver checks with it that a message is from here.`,
    ].join('\n'),
  };
}

function readOwner({ app, unit }: Pick<AddOptions, 'app' | 'unit'>): [WebhookScope, string] {
  if (app !== undefined) return ['app', app];
  if (unit !== undefined) return ['unit', unit];
  throw new UsageError('Name whose events it is told: --app or --unit.');
}

/** @throws UsageError when a name is no event of such a webhook */
function readEvents(scope: WebhookScope, names: readonly string[] | undefined): WebhookEvent[] {
  const known: readonly WebhookEvent[] = WEBHOOK_EVENTS[scope];
  const wanted = names?.flatMap((name) => name.split(',')) ?? known;
  const unknown = wanted.find((name) => !known.some((event) => event === name));
  if (unknown !== undefined)
    throw new UsageError(`--events: ${unknown} is none of the events of such a webhook: ${known.join(', ')}.`);
  return known.filter((event) => wanted.includes(event));
}

async function list({ db }: OpsContext): Promise<Answer> {
  const webhooks = createWebhooksRepository(db);
  const counts = await webhooks.countStates();
  const data = (await webhooks.list()).map(({ id, scope, owner, url, events, createdAt, createdBy, disabledAt }) => {
    const count = (...states: string[]) =>
      counts
        .filter((row) => row.webhookId === id && states.includes(row.state))
        .reduce((sum, row) => sum + row.count, 0);
    return {
      id,
      scope,
      owner,
      url,
      events: events.split(' '),
      createdAt,
      createdBy,
      disabledAt,
      waiting: count('queued', 'sending'),
      delivered: count('delivered'),
      failed: count('failed'),
    };
  });
  const rows = data.map(({ id, scope, owner, url, events, disabledAt, waiting, delivered, failed }) => [
    id,
    `${scope} ${owner}`,
    url,
    events.join(', '),
    disabledAt === null ? 'works' : `disabled at ${formatTime(disabledAt)}: its receiver is gone`,
    waiting,
    delivered,
    failed,
  ]);
  const headings = ['webhook', 'of', 'address', 'told of', 'is', 'waiting', 'delivered', 'given up'];
  return { data, text: formatTable(headings, rows) };
}

async function log({ db }: OpsContext, id: string, lines: number): Promise<Answer> {
  await findWebhook(db, id);
  const rows = await createWebhooksRepository(db).listDeliveries(id, lines);
  const data = rows.map(({ id: delivery, event, state, createdAt, tries, nextTryAt, endedAt, outcome }) => ({
    id: delivery,
    event,
    state,
    createdAt,
    tries,
    nextTryAt: state === 'queued' ? nextTryAt : null,
    endedAt,
    outcome,
  }));
  const cells = data.map(({ id: delivery, event, state, createdAt, tries, nextTryAt, endedAt, outcome }) => [
    delivery,
    event,
    formatTime(createdAt),
    state === 'failed' ? 'given up' : state,
    tries,
    outcome,
    nextTryAt === null ? null : formatTime(nextTryAt),
    endedAt === null ? null : formatTime(endedAt),
  ]);
  const headings = ['delivery', 'event', 'since', 'is', 'tries', 'last answer', 'next try', 'ended'];
  return { data, text: formatTable(headings, cells) };
}

async function test({ db, now, webhooks }: OpsContext, id: string): Promise<Answer> {
  const { isTaken, ...data } = await testWebhook({ db, now, ...webhooks }, await findWebhook(db, id));
  if (data.outcome === NOT_PUBLIC) throw new OpsError(`Nothing was sent. ${LEADS_INSIDE}.`);
  const said = /^\d+$/.test(data.outcome) ? `answered ${data.outcome}` : `did not answer (${data.outcome})`;
  return {
    data: { ...data, isTaken },
    text: `The receiver ${said} after ${String(data.ms)} ms. ${isTaken ? 'It took the message.' : 'A message counts as taken with a status from 200 to 299, within 10 seconds.'}`,
    isBad: !isTaken,
  };
}

async function resend({ db, now, user }: OpsContext, id: string, by = user): Promise<Answer> {
  const due = await resendDeliveries({ db }, id, { by, at: now() });
  if (due === undefined) throw new OpsError('No webhook and no delivery has this id; see: webhook list, webhook log.');
  const text = due === 1 ? '1 delivery is due now' : `${String(due)} deliveries are due now`;
  return { data: { due }, text: `${text}. A server that runs sends what is due within a second or two.` };
}

async function remove({ db, now, user }: OpsContext, id: string, by = user): Promise<Answer> {
  const removed = await removeWebhook({ db }, id, { by, at: now() });
  if (!removed) throw new OpsError(NO_SUCH);
  return { data: { id, by }, text: `${new URL(removed.url).host} is told nothing more of ${removed.owner}.` };
}

const NO_SUCH = 'No webhook has this id; see: webhook list.';

async function findWebhook(db: OpsContext['db'], id: string): Promise<WebhookRow> {
  const webhook = await createWebhooksRepository(db).find(id);
  if (!webhook) throw new OpsError(NO_SUCH);
  return webhook;
}
