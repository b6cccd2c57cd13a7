import { existsSync, readdirSync } from 'node:fs';
import { runAndKeep } from '../tools/machine/run.ts';

/** Every folder with its own tsconfig.json. */
const projects = ['.', 'shell', 'api', 'e2e', ...foldersIn('remotes'), ...foldersIn('shared')].filter((folder) =>
  existsSync(`${folder}/tsconfig.json`),
);

/** Fails where a lock file is not what its manifests need, on any platform. It asks no registry, and installs nothing. */
const COMPARE_LOCK = 'npm ci --dry-run --ignore-scripts --offline --loglevel=error';

/** Two lists of tools that run side by side, one for each core. Prettier takes as long as all the others together. */
const LINES = [
  ['node_modules/.bin/prettier --check --log-level warn .'],
  [
    'node_modules/.bin/oxlint',
    // --force, because tsc would overlook changes in shared files. One thread: several read the same types several times.
    `node_modules/typescript-7/bin/tsc -b --force --singleThreaded ${projects.join(' ')}`,
    'node_modules/.bin/depcruise --config .dependency-cruiser.mjs shell remotes api shared e2e samples scripts tools',
    'node_modules/.bin/dockerfile-utils lint Dockerfile',
    'node scripts/launch.mjs lint-openapi',
    COMPARE_LOCK,
    `${COMPARE_LOCK} --prefix scripts/node-runtime`,
    'node_modules/.bin/knip --no-progress',
    // Each package declares what it imports itself: the root's tools are for tests and configs alone.
    'node_modules/.bin/knip --no-progress --strict --include unlisted',
    'node scripts/launch.mjs check-budgets',
  ],
];

const failed = (await Promise.all(LINES.map(runLine))).flat();
if (failed.length > 0) {
  console.error(`Failed:\n${failed.join('\n')}`);
  process.exit(1);
}

/** Runs all tools of a list, even after a failure. Returns the tools that failed. */
async function runLine(tools: readonly string[]): Promise<string[]> {
  const failedTools: string[] = [];
  for (const tool of tools) {
    const [command = '', ...args] = tool.split(' ');
    const { isOk } = await runAndKeep(command, args, { isBeside: true });
    if (!isOk) failedTools.push(tool);
  }
  return failedTools;
}

function foldersIn(folder: string): string[] {
  return readdirSync(folder).map((name) => `${folder}/${name}`);
}
