import { resolve } from 'node:path';
import { RESELLER_LOGOS } from '@app/contracts/resellers';
import { Option, type CommandUnknownOpts } from '@commander-js/extra-typings';
import * as v from 'valibot';
import {
  changeResellers,
  type ListedReseller,
  listedResellerSchema,
  presentReseller,
  type ResellerChanges,
} from '#api/product/resellers/change-resellers.ts';
import { createResellersRepository } from '#api/product/resellers/resellers.repository.ts';
import { describeIssue } from '#api/foundation/settings/read-json.ts';
import { createAct, OpsError, UsageError, type AddCommands, type Answer, type OpsContext } from '#api/ops/command.ts';
import { byOption, parseTrusted, wholeNumber } from '#api/ops/options.ts';
import { loadResellers, saveNewFile, writeResellers } from './reseller-file.ts';
import { listAnswer } from '#api/ops/format.ts';

const RESELLER_DEFAULTS = { isArceusX: false, trusted: null, isHidden: false };

export const addResellerCommands: AddCommands = (program, { onSite }) => {
  const reseller = program.command('reseller').description('the resellers of plans, as their page lists them');

  reseller
    .command('list')
    .description('list all resellers in their order, then those that are hidden')
    .action(() => onSite(list));

  memberCommand(reseller, 'add', 'add a reseller at the end of the list').action((id, { by, ...members }) =>
    onSite((context) => {
      const added = readReseller({ ...RESELLER_DEFAULTS, id, ...readMembers(members) });
      return apply(context, by, (resellers) => {
        if (resellers.some((one) => one.id === id)) throw new OpsError(`${id} is there already; nothing was changed.`);
        return [...resellers, added];
      });
    }),
  );
  memberCommand(reseller, 'edit', 'change the given members, and nothing else').action((id, { by, ...members }) =>
    onSite((context) =>
      apply(context, by, (resellers) => {
        const edited = readReseller({ ...findReseller(resellers, id), ...readMembers(members) });
        return resellers.map((one) => (one.id === id ? edited : one));
      }),
    ),
  );

  reseller
    .command('order')
    .description('move a reseller to a place of the list, from 1; the place 0 hides it')
    .argument('<id>')
    .argument('<place>', 'a number from 0', wholeNumber(0, 9999))
    .addOption(byOption())
    .action((id, place, { by }) =>
      onSite((context) => apply(context, by, (resellers) => moveReseller(resellers, id, place))),
    );

  reseller
    .command('remove')
    .description('remove a reseller without codes; one with codes can be hidden')
    .argument('<id>')
    .addOption(byOption())
    .action((id, { by }) =>
      onSite((context) =>
        apply(context, by, (resellers) => {
          const removed = findReseller(resellers, id);
          return resellers.filter((one) => one !== removed);
        }),
      ),
    );

  reseller
    .command('import')
    .description('replace the list by a file, completely or not at all')
    .argument('<file>', 'JSON as `reseller export` writes it', (path) => resolve(path))
    .option('--dry-run', 'only say what would change')
    .addOption(byOption())
    .action((file, { by, dryRun }) =>
      onSite((context) => {
        const wanted = loadResellers(file);
        return apply(context, by, () => wanted, dryRun);
      }),
    );

  reseller
    .command('export')
    .description('print the list as JSON, or write it into a new file')
    .argument('[file]', 'a file that is not there yet', (path) => resolve(path))
    .action((file) => onSite((context) => exportFile(context, file)));
};

function memberCommand(reseller: CommandUnknownOpts, name: string, does: string) {
  return reseller
    .command(name)
    .description(does)
    .argument('<id>', 'such as key-corner')
    .option('--name <text>', 'what visitors read')
    .option('--logo <logo>', `${RESELLER_LOGOS.join(', ')} or letter`)
    .option('--description <text>', 'one sentence')
    .option('--discord <link>', 'the community chat, an https address')
    .option('--buy-link <link>', 'the shop, an https address')
    .option('--official', 'an official store')
    .addOption(new Option('--partner', 'a partner (a new reseller is one)').conflicts('official'))
    .option('--trusted <number>', 'how many users trust it, or `unknown`', parseTrusted)
    .addOption(byOption());
}

async function readList({ db }: OpsContext): Promise<ListedReseller[]> {
  return (await createResellersRepository(db).listAll()).map(presentReseller);
}

async function list(context: OpsContext): Promise<Answer> {
  const data = await readList(context);
  return listAnswer(data, {
    place: (one) => (one.isHidden ? 'hidden' : data.indexOf(one) + 1),
    id: ({ id }) => id,
    name: ({ name }) => name,
    kind: ({ isArceusX }) => (isArceusX ? 'official' : 'partner'),
    trusted: ({ trusted }) => trusted,
    logo: ({ logo }) => logo,
    shop: ({ buyLink }) => buyLink,
  });
}

function moveReseller(resellers: readonly ListedReseller[], id: string, place: number): ListedReseller[] {
  const moved = { ...findReseller(resellers, id), isHidden: place === 0 };
  const others = resellers.filter((one) => one.id !== id);
  const shown = others.filter(({ isHidden }) => !isHidden);
  if (place > 0) shown.splice(place - 1, 0, moved);
  return [...shown, ...others.filter(({ isHidden }) => isHidden), ...(place === 0 ? [moved] : [])];
}

async function exportFile(context: OpsContext, file: string | undefined): Promise<Answer> {
  const data = await readList(context);
  const text = writeResellers(data);
  if (file === undefined) return { data, text };

  saveNewFile(file, text);
  return { data: { file, resellers: data.length }, text: `Wrote ${String(data.length)} resellers into ${file}.` };
}

/** Changes the list, and says what that has changed. */
async function apply(
  context: OpsContext,
  by: string | undefined,
  change: (resellers: ListedReseller[]) => ListedReseller[],
  isDryRun = false,
): Promise<Answer> {
  const act = createAct(context, by);
  const result = await changeResellers(context, change, act, isDryRun);
  if (result.kind === 'have codes')
    throw new OpsError(
      `Codes were issued for ${result.ids.join(', ')}, and the books name them, so they stay; nothing was changed. To hide one, type: reseller order ${result.ids[0] ?? ''} 0, or give it "isHidden": true in the file.`,
    );

  const { changes } = result;
  return { data: { ...changes, isDryRun, by: act.by }, text: describeChanges(changes, isDryRun) };
}

function describeChanges(changes: ResellerChanges, isDryRun: boolean): string {
  const said = (['added', 'changed', 'moved', 'removed'] as const)
    .filter((what) => changes[what].length > 0)
    .map((what) => `${what.padEnd(7)}  ${changes[what].join(', ')}`);
  if (said.length === 0) return 'Everything is so already; nothing was changed.';
  return [...said, ...(isDryRun ? ['This was a dry run; nothing was changed.'] : [])].join('\n');
}

function findReseller(resellers: readonly ListedReseller[], id: string): ListedReseller {
  const found = resellers.find((one) => one.id === id);
  if (!found) throw new OpsError(`There is no reseller ${id}; see: reseller list.`);
  return found;
}

function readMembers({
  official,
  partner,
  ...members
}: Partial<Record<keyof ListedReseller | 'official' | 'partner', unknown>>): Partial<ListedReseller> {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), ...(official || partner ? { isArceusX: official === true } : {}) };
}

/** @throws UsageError that names each wrong option */
function readReseller(reseller: unknown): ListedReseller {
  const result = v.safeParse(listedResellerSchema, reseller);
  if (result.success) return result.output;

  throw new UsageError(
    result.issues.map((issue) => `${optionOf(v.getDotPath(issue) ?? '')} ${describeIssue(issue)}.`).join('\n'),
  );
}

/** How the command line names a member of a reseller. */
function optionOf(member: string): string {
  return member === 'id' ? '<id>' : `--${member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
