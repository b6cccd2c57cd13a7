import { APP_COLOURS, type AppId, MAX_STEPS, SANDBOX } from '@app/contracts/key-system';
import { COMPANION, PRODUCT } from '@app/contracts/brand';
import { runPagePath, appQuery } from '@app/contracts/pages';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
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
import { createAct, type AddCommands, type Answer, type OpsContext, OpsError, UsageError } from '#api/ops/command.ts';
import { listAnswer } from '#api/ops/format.ts';
import { byOption, wholeNumber } from '#api/ops/options.ts';

const APP_DEFAULTS = { scheme: null, colour: APP_COLOURS[0], contact: null };

/** The members that an app may be without. */
const NULLABLE_MEMBERS = ['scheme', 'contact'];

export const addAppCommands: AddCommands = (program, { onSite }) => {
  const app = program.command('app').description('the apps that get keys here');

  app
    .command('list')
    .description('list the apps: what opens them, their steps and advertisers, and whom to write to')
    .action(() => onSite(list));

  memberCommand(app, 'add', 'register an app: it needs a name, steps and advertisers').action(
    (id, { by, ...members }) =>
      onSite(async (context) => {
        const added = check({ ...APP_DEFAULTS, ...pickDefined(members), id });
        if (!(await addApp(context, added, createAct(context, by))))
          throw new OpsError(`There is an app ${id} already; nothing was changed.`);
        return { data: added, text: `Registered ${added.name}. Its runs begin at ${webAddressOf(id)}&hwid=…&zone=…` };
      }),
  );
  memberCommand(app, 'change', 'change the given members, and nothing else').action((id, { by, ...members }) =>
    onSite(async (context) => {
      const changed = pickDefined(members);
      if (Object.keys(changed).length === 0) throw new UsageError('Nothing to change was given, such as --name.');

      const result = await changeApp(context, id, (one) => check({ ...one, ...changed }), createAct(context, by));
      if (result.kind === 'unknown') throw createUnknownAppError(id);
      if (result.kind === 'same') throw new OpsError(`${id} is so already; nothing was changed.`);
      return { data: result.app, text: `Changed ${result.app.name}. Open runs keep their steps.` };
    }),
  );

  app
    .command('remove')
    .description('remove an app of which no run and no key is stored any more')
    .argument('<id>')
    .addOption(byOption())
    .action((id, options) =>
      onSite(async (context) => {
        const act = createAct(context, options.by);
        const result = await removeApp(context, id, act);
        if (result.kind === 'unknown') throw createUnknownAppError(id);
        if (result.kind === 'in use')
          throw new OpsError(
            `${result.runs} runs and ${result.keys} keys of ${id} are still stored; nothing was changed. Retention removes them in time.`,
          );
        return { data: { id, by: act.by }, text: `Removed ${id}.` };
      }),
    );
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
    .option('--steps <number>', `how many steps a run takes, from 1 to ${MAX_STEPS}`, wholeNumber(1, MAX_STEPS))
    .option(
      '--advertisers <list>',
      'those that each step offers, the default first, such as linkvertise,lootlabs',
      (text) => text.split(',').map((id) => id.trim()),
    )
    .addOption(byOption());
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
    page: webAddressOf(row.id),
  }));
  return listAnswer(data, {
    app: ({ id }) => id,
    name: ({ name }) => name,
    steps: ({ steps }) => steps,
    advertisers: ({ advertisers }) => advertisers.join(', ') || 'as specified',
    'opened by': ({ scheme }) => scheme ?? 'of the site',
    contact: ({ contact }) => contact,
    page: ({ page }) => page,
  });
}

/** Where a run of an app begins. */
function webAddressOf(id: AppId): string {
  const query = new URLSearchParams(Object.entries(appQuery(id))).toString();
  return `${runPagePath(id, 1)}${query && `?${query}`}`;
}

function createUnknownAppError(id: string): OpsError {
  return new OpsError(
    `There is no registered app ${id}; nothing was changed. The apps of the site itself stay as they are.`,
  );
}

/** The members that were given, with `none` as none. */
function pickDefined(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, NULLABLE_MEMBERS.includes(name) && value === 'none' ? null : value]),
  );
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
