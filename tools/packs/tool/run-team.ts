import { spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { createCommandLine, type Output, runCommandLine, startProgram } from '../../../api/src/ops/command-line.ts';
import { type Answer, OpsError, UsageError } from '../../../api/src/ops/command.ts';
import { addChannelCommands } from '../../../api/src/ops/release/channel-commands.ts';
import type { Runners } from '../../../api/src/ops/release/command.ts';
import { addListCommands } from '../../../api/src/ops/release/list-commands.ts';
import { addPublishCommands } from '../../../api/src/ops/release/publish-commands.ts';
import { describeFailure, findIdToken, openRemoteSite, readAddress } from '../../../api/src/ops/release/remote-site.ts';
import { type Packs, packsSchema } from '../../../shared/contracts/src/packs.ts';
import { previewOf, readCommit } from '../../build/read-commit.ts';
import { adaptPipeline, checkName, type Ci, filesAloneOf, filesOf, PIPELINES } from '../unit-files.ts';
import { describeBuild } from './describe-build.ts';
import { findOwnUnit, type OwnUnit, renewPacks, requireOwnUnit } from './own-unit.ts';

/** As it is typed in the repository of a unit. */
const COMMAND_NAME = 'npm run release --';

const HELP_TEXT =
  'The unit and the site are those of package.json, unless they are named. The deploy token is in RELEASE_TOKEN; a CI that the site trusts needs none.\n' +
  'Exit codes: 0 done, 1 not done or not as it should be, 2 wrongly typed.';

/** The commands here whose first word is not a unit. */
const UNITLESS_COMMANDS = ['new', 'update', 'dev', 'help'];

/** Where other builders put what they make, unless `--from` names it. */
const DEFAULT_OUTPUT = 'dist';

const NEW_FILE_MODE = 0o644;

/** Beside the tool lie the texts that it writes. */
const HERE = new URL('.', import.meta.url);
const SETTINGS = new URL('settings/', HERE);

const PACKS_TIMEOUT_MS = 20_000;

/** Names the tool that runs, by its address on the site. */
const RUNNING_VARIABLE = 'RELEASE_TOOL';

/** Runs a command line of a team, in the folder of its unit. Returns the exit code. */
async function runTeam(argv: readonly string[], output: Output): Promise<number> {
  const found = argv[0] === 'new' ? undefined : findOwnUnit();
  let ofNewest: number | undefined;
  const code = await runCommandLine(
    found ? nameUnit(argv, found) : argv,
    (answer) => {
      const program = createCommandLine(
        {
          name: COMMAND_NAME,
          description: 'Makes a unit in a repository of its own, and publishes it.',
          about: HELP_TEXT,
        },
        output,
      ).option('--to <address>', 'the site, such as https://site.example (default: "site" in package.json)');

      const siteOf = (): string => {
        const { to } = program.opts();
        if (to !== undefined) return readAddress(to).origin;
        if (found?.site === undefined) throw new UsageError('Name the site: --to, or "site" in package.json.');
        return readAddress(found.site, '"site" in package.json').origin;
      };

      program
        .command('new')
        .description('makes a unit in this folder, which is empty, with the packages of a site')
        .argument('<unit>', 'such as news')
        .requiredOption('--from-site <address>', 'the site, such as https://site.example')
        .option('--ci <kind>', 'github or gitlab: whose CI publishes it', 'github')
        .action(async (unit, { fromSite, ci }) => {
          const site = readAddress(fromSite, '--from-site').origin;
          const packs = await fetchPacks(site);
          const newest = packs['@app/release'];
          if (newest !== undefined && process.env[RUNNING_VARIABLE] !== newest)
            ofNewest = await runNewest(new URL(newest, site), argv);
          else answer(makeUnit({ unit, site, ci, packs }));
        });

      program
        .command('update')
        .description('takes the newest packages of the site; npm install installs them')
        .action(async () => {
          requireOwnUnit();
          const site = siteOf();
          const changed = renewPacks(site, await fetchPacks(site));
          const text =
            changed.length === 0
              ? `These are the packages of ${site} already.`
              : `package.json names the newest ${changed.join(', ')} of ${site}. Next: npm install`;
          answer({ data: { site, changed }, text });
        });

      program
        .command('dev')
        .description('serves the pages of the site with this unit from here; each edit reloads the page')
        .option('--against <address>', 'another site')
        .action(async ({ against }) => {
          const { unit, pages } = requireOwnUnit();
          if (pages)
            throw new UsageError(
              'This is for units that “new” has made. Start yours with its own builder, and see it in the real page by: publish --preview',
            );
          const site = against === undefined ? siteOf() : readAddress(against, '--against').origin;
          const { devAlone } = await importOfUnit<DevAlone>('@app/build-preset/dev');
          await devAlone({ unit, against: site });
        });

      const token = process.env['RELEASE_TOKEN'] || findIdToken(process.env);
      const runners: Runners = {
        outside: () => (token ? undefined : siteOf()),
        answer,
        onSite: async (act) =>
          answer(
            await act(
              openRemoteSite(siteOf(), token, {
                say: output.err,
                wait: pause,
                clock: () => performance.now() / 1000,
              }),
            ),
          ),
        isRemote: () => true,
        onMachine: () => Promise.reject(new UsageError('This works on the machine of the site only.')),
        build,
        describe,
        say: output.err,
      };
      for (const add of [addPublishCommands, addChannelCommands, addListCommands]) add(program, runners);
      return program;
    },
    output,
  );
  return ofNewest ?? code;
}

/** npx keeps what it had once from an address, so the one that has made other units here may be an old one. */
async function runNewest(address: URL, argv: readonly string[]): Promise<number> {
  const words = ['exec', '--yes', '--allow-remote=root', `--package=${address.href}`, '--', 'release', ...argv];
  return runNpm(words, 'inherit', { [RUNNING_VARIABLE]: address.pathname });
}

async function runNpm(words: readonly string[], stdio: StdioOptions, settings: NodeJS.ProcessEnv): Promise<number> {
  const env = { ...process.env, ...settings };
  const child = spawn('npm', words, { stdio, env, shell: process.platform === 'win32' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

interface DevAlone {
  devAlone: (options: { unit: string; against: string }) => Promise<void>;
}

/** Puts the unit behind the command, where the operators' commands have it, unless it is there. */
function nameUnit(argv: readonly string[], { unit }: OwnUnit): readonly string[] {
  const [command = '', ...words] = argv;
  if (command === '' || command.startsWith('-') || UNITLESS_COMMANDS.includes(command) || words[0] === unit)
    return argv;
  return [command, unit, ...words];
}

async function build<Result>(
  unit: string,
  use: (folder: string) => Promise<Result>,
  isPreview: boolean,
): Promise<Result> {
  const own = requireOwnUnit();
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  try {
    // What a build says is no answer of the command.
    const code = await runNpm(['run', '--silent', 'build'], ['ignore', 2, 2], {
      RELEASE_OUT: folder,
      RELEASE_VERSION: own.pages && versionOf(own, isPreview),
      RELEASE_PREVIEW: isPreview ? '1' : undefined,
      DEV_UPDATES_URL: undefined,
    });
    if (code !== 0) throw new OpsError('It does not build, so nothing was published.');
    if (own.pages) return await use(resolve(DEFAULT_OUTPUT));

    const [version = ''] = await readdir(join(folder, unit));
    return await use(join(folder, unit, version));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What another builder has made is described when it is sent. */
function describe(folder: string, isPreview: boolean): void {
  const own = findOwnUnit();
  if (own?.pages) describeBuild(folder, { ...own, version: versionOf(own, isPreview), commit: readCommit('.', ['.']) });
}

function versionOf({ version }: OwnUnit, isPreview: boolean): string {
  if (!isPreview) return version;
  try {
    return previewOf(version, readCommit('.', ['.']));
  } catch (error) {
    throw new OpsError(error instanceof Error ? error.message : String(error));
  }
}

/** A package that the unit has installed, and this tool need not have. */
async function importOfUnit<Module>(name: string): Promise<Module> {
  let file: string;
  try {
    file = createRequire(resolve('package.json')).resolve(name);
  } catch {
    throw new OpsError(`${name} is not installed: npm install`);
  }
  return (await import(/* webpackIgnore: true */ pathToFileURL(file).href)) as Module;
}

function pause(seconds: number): Promise<void> {
  return wait(seconds * 1000);
}

/**
 * Asks a site for the packages that fit its host API.
 * @throws OpsError when it does not answer, or has none
 */
async function fetchPacks(site: string): Promise<Packs> {
  const asked = { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(PACKS_TIMEOUT_MS) };
  const answer = await fetch(new URL('/api/packs', site), asked).catch((error: unknown) => {
    throw new OpsError(describeFailure(error, site), { cause: error });
  });
  const read = v.safeParse(packsSchema, await answer.json().catch(() => undefined));
  if (answer.ok && read.success) {
    const { packs } = read.output;
    if (Object.keys(packs).length > 0) return packs;
    throw new OpsError(`${site} has no packs: its shell is of an earlier build, or is edited there.`);
  }
  throw new OpsError(
    `${site} answers with status ${String(answer.status)}, and has no packs: is it a site of these units?`,
  );
}

interface NewUnit {
  unit: string;
  site: string;
  ci: string;
  packs: Packs;
}

/**
 * Makes a unit in the folder where the command runs.
 * @throws UsageError when its name is none
 * @throws OpsError when a file is there already, which is never written over
 */
function makeUnit({ unit, site, ci, packs }: NewUnit): Answer {
  const problem = checkName(unit);
  if (problem) throw new UsageError(problem);
  if (!isCi(ci)) throw new UsageError(`--ci is ${Object.keys(PIPELINES).join(' or ')}.`);

  const { template, file } = PIPELINES[ci];
  const files = {
    ...filesOf(unit),
    ...filesAloneOf({
      unit,
      site,
      packs,
      versions: JSON.parse(readOwn('versions.json')) as Record<string, string>,
    }),
    ...Object.fromEntries(globSync('*', { cwd: SETTINGS }).map((name) => [`.${name}`, readOwn(`settings/${name}`)])),
    [file]: adaptPipeline(readOwn(`ci/${template}`), { unit, site }),
  };
  const taken = Object.keys(files).filter((name) => existsSync(name));
  if (taken.length > 0) throw new OpsError(`This folder has ${taken.join(', ')} already. Nothing was written.`);

  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(name), { recursive: true, mode: 0o755 });
    writeFileSync(name, text);
    chmodSync(name, NEW_FILE_MODE);
  }
  return {
    data: { unit, site, files: Object.keys(files) },
    text: `Made the unit ${unit}, with the page /${unit}:
${Object.keys(files)
  .map((name) => `  ${name}`)
  .join('\n')}

Next:
  npm install
  npm test
  npm run dev                 the pages of ${site}, with this unit from here
README.md says how it is published.`,
  };
}

function readOwn(file: string): string {
  return readFileSync(new URL(file, HERE), 'utf8');
}

function isCi(ci: string): ci is Ci {
  return Object.hasOwn(PIPELINES, ci);
}

startProgram(runTeam);
