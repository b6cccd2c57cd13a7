import type { AppId } from '@app/contracts/key-system';
import { unitSchema } from '@app/contracts/release';
import { WEBHOOK_EVENTS, type WebhookEvent, type WebhookScope } from '@app/contracts/webhooks';
import { Option } from '@commander-js/extra-typings';
import { createChannelsRepository } from '#api/delivery/registry/registry.repository.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import type { WebhookRow } from '#api/foundation/db/schema.ts';
import { addWebhook, removeWebhook, resendDeliveries, testWebhook } from '#api/foundation/webhooks/change-webhooks.ts';
import { findUrlProblem, NOT_PUBLIC_ERROR, NOT_PUBLIC_CODE } from '#api/foundation/webhooks/post-webhook.ts';
import { createWebhooksRepository } from '#api/foundation/webhooks/webhooks.repository.ts';
import { createAppsRepository } from '#api/product/apps/apps.repository.ts';
import { createAct, OpsError, UsageError, type AddCommands, type Answer, type OpsContext } from '#api/ops/command.ts';
import { formatTime, listAnswer, pick } from '#api/ops/format.ts';
import { byOption, linesOption, parseAppId, parseWith } from '#api/ops/options.ts';

interface AddOptions {
  app?: AppId;
  unit?: string;
  url: string;
  events?: string[];
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
    .action(({ by, ...options }) => onSite((context) => add(context, options, createAct(context, by))));

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
    .action((id, { by }) => onSite((context) => resend(context, id, createAct(context, by))));

  webhook
    .command('remove')
    .description('remove a webhook with all that waits for it and its log')
    .argument('<id>', 'its id in the list')
    .addOption(byOption())
    .action((id, { by }) => onSite((context) => remove(context, id, createAct(context, by))));
};

async function add({ db, webhooks }: OpsContext, { url, ...options }: AddOptions, act: Act): Promise<Answer> {
  const [scope, owner] = readOwner(options);
  const problem = findUrlProblem(url, webhooks.addresses);
  if (problem !== undefined) throw new UsageError(`--url: ${problem}.`);
  const events = readEvents(scope, options.events);
  if (scope === 'unit' && !(await createChannelsRepository(db).find(owner)))
    throw new OpsError(`No unit has the name ${owner}; see: npm run release -- unit list.`);
  if (scope === 'app' && !(await createAppsRepository(db).find(owner)))
    throw new OpsError(`No app has the id ${owner}; see: app list.`);

  const order = { scope, owner, url, events };
  const added = await addWebhook({ db, signer: webhooks.signer }, order, act);
  if (!added) throw new OpsError('There are as many webhooks as there may be; remove one first.');
  return {
    data: { ...added, ...order, by: act.by },
    text: `${added.secret}\nThis is the secret of webhook ${added.id}. It is not shown again: the receiver checks with it that a message is from here.`,
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
  const data = (await webhooks.list()).map((row) => {
    const count = (...states: string[]) =>
      counts
        .filter(({ webhookId, state }) => webhookId === row.id && states.includes(state))
        .reduce((sum, one) => sum + one.count, 0);
    return {
      ...pick(row, 'id', 'scope', 'owner', 'url'),
      events: row.events.split(' '),
      ...pick(row, 'createdAt', 'createdBy', 'disabledAt'),
      waiting: count('queued', 'sending'),
      delivered: count('delivered'),
      failed: count('failed'),
    };
  });
  return listAnswer(data, {
    webhook: ({ id }) => id,
    of: ({ scope, owner }) => `${scope} ${owner}`,
    address: ({ url }) => url,
    'told of': ({ events }) => events.join(', '),
    is: ({ disabledAt }) =>
      disabledAt === null ? 'works' : `disabled at ${formatTime(disabledAt)}: its receiver is gone`,
    waiting: ({ waiting }) => waiting,
    delivered: ({ delivered }) => delivered,
    'given up': ({ failed }) => failed,
  });
}

async function log({ db }: OpsContext, id: string, lines: number): Promise<Answer> {
  await findWebhook(db, id);
  const rows = await createWebhooksRepository(db).listDeliveries(id, lines);
  const data = rows.map((row) => ({
    ...pick(row, 'id', 'event', 'state', 'createdAt', 'tries'),
    nextTryAt: row.state === 'queued' ? row.nextTryAt : null,
    ...pick(row, 'endedAt', 'outcome'),
  }));
  return listAnswer(data, {
    delivery: (row) => row.id,
    event: ({ event }) => event,
    since: ({ createdAt }) => formatTime(createdAt),
    is: ({ state }) => (state === 'failed' ? 'given up' : state),
    tries: ({ tries }) => tries,
    'last answer': ({ outcome }) => outcome,
    'next try': ({ nextTryAt }) => formatTime(nextTryAt),
    ended: ({ endedAt }) => formatTime(endedAt),
  });
}

async function test({ db, now, webhooks }: OpsContext, id: string): Promise<Answer> {
  const { isTaken, ...data } = await testWebhook({ db, now, ...webhooks }, await findWebhook(db, id));
  if (data.outcome === NOT_PUBLIC_CODE) throw new OpsError(`Nothing was sent. ${NOT_PUBLIC_ERROR}.`);
  const said = /^\d+$/.test(data.outcome) ? `answered ${data.outcome}` : `did not answer (${data.outcome})`;
  return {
    data: { ...data, isTaken },
    text: `The receiver ${said} after ${data.ms} ms. ${isTaken ? 'It took the message.' : 'A message counts as taken with a status from 200 to 299, within 10 seconds.'}`,
    isBad: !isTaken,
  };
}

async function resend({ db }: OpsContext, id: string, act: Act): Promise<Answer> {
  const due = await resendDeliveries({ db }, id, act);
  if (due === undefined) throw new OpsError('No webhook and no delivery has this id; see: webhook list, webhook log.');
  const text = due === 1 ? '1 delivery is due now' : `${due} deliveries are due now`;
  return { data: { due }, text: `${text}. A server that runs sends what is due within a second or two.` };
}

async function remove({ db }: OpsContext, id: string, act: Act): Promise<Answer> {
  const removed = await removeWebhook({ db }, id, act);
  if (!removed) throw new OpsError(UNKNOWN_WEBHOOK);
  return { data: { id, by: act.by }, text: `${new URL(removed.url).host} is told nothing more of ${removed.owner}.` };
}

const UNKNOWN_WEBHOOK = 'No webhook has this id; see: webhook list.';

async function findWebhook(db: OpsContext['db'], id: string): Promise<WebhookRow> {
  const webhook = await createWebhooksRepository(db).find(id);
  if (!webhook) throw new OpsError(UNKNOWN_WEBHOOK);
  return webhook;
}
