import { APP_COLOURS, type AppId, MOST_STEPS, SANDBOX } from '@app/contracts/key-system';
import { COMPANION, PRODUCT } from '@app/contracts/brand';
import { runPagePath, appQuery } from '@app/contracts/pages';
import { type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { createAppsRepository } from '#api/product/apps/apps.repository.ts';
import {
  addApp,
  changeApp,
  presentRegistered,
  type RegisteredApp,
  registeredAppSchema,
  removeApp,
} from '#api/product/apps/change-apps.ts';
import { describeIssue } from '#api/foundation/settings/read-json.ts';
import { type AddCommands, type Answer, type OpsContext, OpsError, UsageError } from '#api/ops/command.ts';
import { formatTable } from '#api/ops/format.ts';
import { byOption } from '#api/ops/options.ts';

/** What `add` and `change` take. */
interface Members {
  name?: string | undefined;
  scheme?: string | undefined;
  colour?: string | undefined;
  contact?: string | undefined;
  steps?: number | undefined;
  advertisers?: string[] | undefined;
  by?: string | undefined;
}

const NEW = { scheme: null, colour: APP_COLOURS[0], contact: null };

/** Stands for a member that an app has not. */
const NONE = 'none';

export const addAppCommands: AddCommands = (program, { onSite }) => {
  const app = program.command('app').description('the apps that get keys here');

  app
    .command('list')
    .description('list the apps: what opens them, their steps and advertisers, and whom to write to')
    .action(() => onSite(list));

  memberCommand(app, 'add', 'register an app: it needs a name, steps and advertisers').action((id, members) =>
    onSite((context) => add(context, id, members)),
  );
  memberCommand(app, 'change', 'change the given members, and nothing else').action((id, members) =>
    onSite((context) => change(context, id, members)),
  );

  app
    .command('remove')
    .description('remove an app of which no run and no key is stored any more')
    .argument('<id>')
    .addOption(byOption())
    .action((id, { by }) => onSite((context) => remove(context, id, by)));
};

function memberCommand(app: CommandUnknownOpts, name: string, does: string) {
  return app
    .command(name)
    .description(does)
    .argument('<id>', 'such as my-app; the `aud` of its keys')
    .option('--name <text>', 'what visitors read')
    .option('--scheme <address>', 'what opens the app, such as my-app://key, or `none` for that of the site')
    .option('--colour <colour>', `of its buttons: ${APP_COLOURS.join(', ')}`)
    .option('--contact <text>', 'whom to write to; only operators read it')
    .option('--steps <number>', `how many steps a run takes, from 1 to ${String(MOST_STEPS)}`, parseSteps)
    .option(
      '--advertisers <list>',
      'those that each step offers, the default first, such as linkvertise,lootlabs',
      (text) => text.split(',').map((id) => id.trim()),
    )
    .addOption(byOption());
}

function parseSteps(text: string): number {
  if (!/^[1-9]$/.test(text)) throw new InvalidArgumentError(`It is no number from 1 to ${String(MOST_STEPS)}.`);
  return Number(text);
}

async function list({ db }: OpsContext): Promise<Answer> {
  const data = (await createAppsRepository(db).list()).map((row) => ({
    ...(presentRegistered(row) ?? {
      id: row.id,
      name: row.name ?? (row.id === 'companion' ? COMPANION.label : PRODUCT.label),
      scheme: null,
      contact: null,
      advertisers: row.id === SANDBOX ? [SANDBOX] : [],
      steps: row.stepsPerSeries * row.seriesRequired,
    }),
    page: addressOf(row.id),
  }));
  const rows = data.map(({ id, name, steps, advertisers, scheme, contact, page }) => [
    id,
    name,
    steps,
    advertisers.join(', ') || 'as specified',
    scheme ?? 'of the site',
    contact ?? '',
    page,
  ]);
  return { data, text: formatTable(['app', 'name', 'steps', 'advertisers', 'opened by', 'contact', 'page'], rows) };
}

/** Where a run of an app begins. */
function addressOf(id: AppId): string {
  const query = new URLSearchParams(Object.entries(appQuery(id))).toString();
  return `${runPagePath(id, 1)}${query && `?${query}`}`;
}

async function add(context: OpsContext, id: string, { by = context.user, ...members }: Members): Promise<Answer> {
  const app = check({ ...NEW, ...given(members), id });
  if (!(await addApp(context, app, { by, at: context.now() })))
    throw new OpsError(`There is an app ${id} already; nothing was changed.`);

  return { data: app, text: `Registered ${app.name}. Its runs begin at ${addressOf(id)}&hwid=…&zone=…` };
}

async function change(context: OpsContext, id: string, { by = context.user, ...members }: Members): Promise<Answer> {
  const changed = given(members);
  if (Object.keys(changed).length === 0) throw new UsageError('Nothing to change was given, such as --name.');

  const result = await changeApp(context, id, (app) => check({ ...app, ...changed }), { by, at: context.now() });
  if (result.kind === 'unknown') throw unknown(id);
  if (result.kind === 'same') throw new OpsError(`${id} is so already; nothing was changed.`);
  return { data: result.app, text: `Changed ${result.app.name}. Open runs keep their steps.` };
}

async function remove(context: OpsContext, id: string, by = context.user): Promise<Answer> {
  const result = await removeApp(context, id, { by, at: context.now() });
  if (result.kind === 'unknown') throw unknown(id);
  if (result.kind === 'in use') {
    const { runs, keys } = result;
    throw new OpsError(
      `${String(runs)} runs and ${String(keys)} keys of ${id} are still stored; nothing was changed. Retention removes them in time.`,
    );
  }
  return { data: { id, by }, text: `Removed ${id}.` };
}

function unknown(id: string): OpsError {
  return new OpsError(
    `There is no registered app ${id}; nothing was changed. The apps of the site itself stay as they are.`,
  );
}

/** The members that were given, with `none` as none. */
function given({ scheme, contact, ...others }: Omit<Members, 'by'>): Record<string, unknown> {
  const members = {
    ...others,
    scheme: scheme === NONE ? null : scheme,
    contact: contact === NONE ? null : contact,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** @throws UsageError that names the first wrong member */
function check(members: Record<string, unknown>): RegisteredApp {
  const checked = v.safeParse(registeredAppSchema, members);
  if (checked.success) return checked.output;

  const [issue] = checked.issues;
  const member = v.getDotPath(issue)?.split('.')[0] ?? 'id';
  throw new UsageError(
    `${member === 'id' ? `The id ${String(members['id'])}` : `--${member}`} ${describeIssue(issue)}.`,
  );
}
