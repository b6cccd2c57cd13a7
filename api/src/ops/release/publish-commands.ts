import { resolve } from 'node:path';
import type { ChannelMove } from '@app/contracts/channel-move';
import { isHostApiMet } from '@app/contracts/host-api-fit';
import type { PublishedAnswer, ReleaseChanges } from '@app/contracts/registry';
import { isPreview, type Release } from '@app/contracts/release';
import { type Resolution, resolutionSchema } from '@app/contracts/resolution';
import { SHELL } from '@app/contracts/unit';
import { Option } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { findStyleProblems, findWeightProblems, readStaged } from '#api/delivery/store/staged-release.ts';
import { OpsError, type Answer, UsageError } from '#api/ops/command.ts';
import { formatTime } from '#api/ops/format.ts';
import { withProgress } from '#api/ops/progress.ts';
import { percentOption, previewDaysOption, unitArgument } from './arguments.ts';
import { describeChange } from './channel-commands.ts';
import type { AddCommands, Runners, PublishSettings, ReleaseSite } from './command.ts';
import { openRelease, type PackedRelease } from './pack-release.ts';
import { describeFailure } from './remote-site.ts';

const fromOption = () =>
  new Option(
    '--from <folder>',
    'a release that is built already (default: builds the unit of the working copy)',
  ).argParser((path: string) => resolve(path));

const removePageOption = () =>
  new Option('--remove-page <paths...>', 'a page that visitors have and that the release has no more').default([]);

export const addPublishCommands: AddCommands = (program, runners) => {
  program
    .command('publish')
    .description('builds a unit and publishes its release; no visitor gets it before a channel names it')
    .addArgument(unitArgument())
    .addOption(fromOption())
    .addOption(percentOption('--canary', 'then gives it to this share of the visitors'))
    .addOption(new Option('--promote', 'then makes it the stable one').conflicts('canary'))
    .addOption(removePageOption())
    .addOption(
      new Option('--preview', 'prints an address that shows this build alone, to everybody who has it').conflicts([
        'canary',
        'promote',
      ]),
    )
    .addOption(previewDaysOption())
    .addOption(
      new Option('--if-new', 'ends well, and does nothing, if visitors have been given this version already').conflicts(
        'preview',
      ),
    )
    .action((unit, { from, canary, promote, removePage, preview, days, ifNew }) => {
      if (days !== undefined && !preview) throw new UsageError('--days is how long a --preview lasts.');
      if (preview && !runners.isRemote())
        throw new UsageError('--preview needs --to, because the site signs its link.');
      return withRelease(runners, { unit, from, isPreview: preview }, async (site, release) => {
        if (ifNew && (await wasPublished(site, release))) return describeAlreadyPublished(release);
        return publish(site, release, { removePages: removePage, days, next: readNext({ canary, promote }) });
      });
    });

  program
    .command('check')
    .description('builds a unit, and says whether its release would be refused and what it would change')
    .addArgument(unitArgument())
    .addOption(fromOption())
    .addOption(removePageOption())
    .action(async (unit, { from, removePage }) => {
      const origin = runners.outside();
      if (origin === undefined)
        return withRelease(runners, { unit, from }, (site, release) => check(site, release, removePage));
      runners.answer(await withFolder(runners, { unit, from }, ({ folder }) => checkWithoutToken(origin, folder)));
    });
};

type NextChange = { action: 'promote' } | { action: 'canary'; percent: number };

function readNext({
  canary,
  promote,
}: {
  canary?: number | undefined;
  promote?: true | undefined;
}): NextChange | undefined {
  if (promote) return { action: 'promote' };
  return canary === undefined ? undefined : { action: 'canary', percent: canary };
}

interface PublishOptions {
  unit: string;
  from: string | undefined;
  isPreview?: boolean | undefined;
}

function withRelease(
  runners: Runners,
  wanted: PublishOptions,
  act: (site: ReleaseSite, release: PackedRelease) => Promise<Answer>,
): Promise<void> {
  return runners.onSite((site) => withFolder(runners, wanted, ({ release }) => act(site, release)));
}

async function withFolder(
  { build, describe, say }: Runners,
  { unit, from, isPreview: wantsPreview = false }: PublishOptions,
  act: (built: { folder: string; release: PackedRelease }) => Promise<Answer>,
): Promise<Answer> {
  const use = async (folder: string) => {
    describe?.(folder, wantsPreview);
    const release = await openRelease(folder);
    if (release.unit !== unit) throw new OpsError(`${folder} has a release of ${release.unit}, not of ${unit}.`);
    if (wantsPreview && !isPreview(release.version))
      throw new OpsError(
        `${folder} has ${unit}@${release.version}, which is no preview: build it with RELEASE_PREVIEW=1.`,
      );
    return act({ folder, release });
  };
  if (from !== undefined) return use(from);

  say(`Building ${unit} …`);
  return build(unit, use, wantsPreview);
}

/** Whether a channel names a version, or has named it. A publication whose change of a channel failed is taken up again. */
async function wasPublished(site: ReleaseSite, { unit, version }: PackedRelease): Promise<boolean> {
  const listed = (await site.list()).units.find((one) => one.unit === unit);
  if (!listed) return false;

  const { stable, canary, releases } = listed;
  const found = releases.find((one) => one.version === version);
  const wasNamed = found !== undefined && (found.withdrawnAt ?? found.lastStableAt) !== null;
  return wasNamed || [stable, canary?.version].includes(version);
}

function describeAlreadyPublished({ unit, version }: PackedRelease): Answer {
  const detail = `Nothing to publish: visitors have been given ${unit}@${version} already. To publish what changed since, raise the version in package.json.`;
  return { data: { outcome: 'served', unit, version, detail }, text: detail };
}

async function publish(
  site: ReleaseSite,
  release: PackedRelease,
  { removePages, days, next }: Pick<PublishSettings, 'removePages' | 'days'> & { next: NextChange | undefined },
): Promise<Answer> {
  const { unit, version } = release;
  const published = await withProgress(
    `Publishing ${unit}@${version}`,
    () => site.publish(release, { dryRun: false, removePages, days }),
    release.howFar,
  );
  const what = published.outcome === 'unchanged' ? 'was published before, with the same files' : 'is published';
  const text = [`${unit}@${version} ${what}.`, ...describeChanges(published.changes), ...published.notices];
  const { preview } = published;
  if (preview)
    text.push(`Until ${formatTime(preview.until)} this address shows it, to everybody who has it:`, preview.link);
  if (!next) return { data: published, text: text.join('\n') };

  const change: ChannelMove = { ...next, version };
  const changed = await site.changeChannel(unit, change).catch((error: unknown) => {
    if (error instanceof OpsError)
      throw new OpsError(`${text[0] ?? ''} Its channel was not changed:\n${error.message}`);
    throw error;
  });
  return { data: { ...published, channels: changed.channels }, text: [...text, describeChange(changed)].join('\n') };
}

async function check(site: ReleaseSite, release: PackedRelease, removePages: readonly string[]): Promise<Answer> {
  const checked = await site.publish(release, { dryRun: true, removePages });
  return {
    data: checked,
    text: [describeCheckResult(checked), ...describeChanges(checked.changes), ...checked.notices].join('\n'),
  };
}

function describeCheckResult({ outcome, unit, version }: PublishedAnswer): string {
  return outcome === 'unchanged'
    ? `${unit}@${version} is published already, with the same files.`
    : `${unit}@${version} can be published.`;
}

function describeChanges({ from, bytes, contract, pages, files }: ReleaseChanges): string[] {
  const paths = [...pages.added.map((path) => `+${path}`), ...pages.removed.map((path) => `-${path}`)];
  const difference = bytes.after - bytes.before;

  return [
    from === null ? 'It is the first release.' : `Compared with ${from}, the stable one:`,
    `  size      ${String(bytes.after)} bytes (${difference < 0 ? '' : '+'}${String(difference)})`,
    `  contract  ${contract.before === null || contract.before === contract.after ? '' : `${contract.before} → `}${contract.after}`,
    `  pages     ${paths.length === 0 ? 'the same' : paths.join(' ')}`,
    `  files     ${String(files.added)} new, ${String(files.removed)} gone, ${String(files.kept)} the same`,
  ];
}

const TIMEOUT_MS = 30_000;

const NOT_COMPARED =
  'Without a token the site was not asked to render its pages, and compared with nothing it keeps to itself.';

/** For somebody who may not ask the site to check: by itself, and with what the site tells every visitor. */
export async function checkWithoutToken(origin: string, folder: string): Promise<Answer> {
  const read = await readStaged(folder, false);
  if (!read.isOk) throw new OpsError(read.problems.join('\n'));

  const { release } = read;
  const problems = [
    ...(await findWeightProblems(release, folder)),
    ...(await findStyleProblems(release, folder)),
    ...findIncompatibilities(release, await fetchResolution(origin)),
  ];
  if (problems.length > 0) throw new OpsError(problems.join('\n'));

  const { unit, version } = release;
  return {
    data: { outcome: 'fit', unit, version, notices: [NOT_COMPARED] },
    text: `${unit}@${version} fits what ${origin} tells everybody.\n${NOT_COMPARED}`,
  };
}

function findIncompatibilities({ unit, version, contract, routes }: Release, { units }: Resolution): string[] {
  const { contract: provided, version: shell } = units[SHELL] ?? {};
  const owners = Object.entries(units).filter(([other]) => other !== unit);
  return [
    ...(provided !== undefined && !isHostApiMet(provided, contract.version)
      ? [
          `${unit}@${version} requires host API ${contract.version}, the shell provides ${provided} (${SHELL}@${shell ?? ''})`,
        ]
      : []),
    ...routes.flatMap(({ path }) =>
      owners.flatMap(([other, of]) => (of.routes.includes(path) ? [`${path} belongs to ${other}`] : [])),
    ),
  ];
}

async function fetchResolution(origin: string): Promise<Resolution> {
  const answer = await fetch(new URL('/api/federation/resolution', origin), {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new OpsError(describeFailure(error, origin), { cause: error });
  });
  const read = v.safeParse(resolutionSchema, await answer.json().catch(() => undefined));
  if (answer.ok && read.success) return read.output;
  throw new OpsError(
    `${origin} answers with status ${String(answer.status)}, but not as this product does: check the address.`,
  );
}
