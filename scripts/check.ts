import { existsSync, readdirSync } from 'node:fs';
import { runAndKeep } from './run.mjs';

/** Every folder with a tsconfig.json of its own; each says which world its code lives in. */
const projects = [
  '.',
  'scripts/bench/one-bundle',
  'shell',
  'api',
  'e2e',
  ...foldersIn('remotes'),
  ...foldersIn('shared'),
].filter((folder) => existsSync(`${folder}/tsconfig.json`));

/** One line of tools for each of two cores: the lint takes as long as all the others. */
const LINES = [
  ['node_modules/.bin/eslint . --max-warnings 0'],
  [
    'node_modules/.bin/prettier --check --log-level warn .',
    // One process reads the types of libraries once for all projects. By the dates of files it would miss a change in a shared file.
    `node_modules/.bin/tsc -b --force ${projects.join(' ')}`,
    'node_modules/.bin/depcruise --config .dependency-cruiser.mjs shell remotes api shared e2e samples scripts',
    'node scripts/tool.mjs check-manifests',
  ],
];

const failed = (await Promise.all(LINES.map(runLine))).flat();
if (failed.length > 0) {
  console.error(`Failed:\n${failed.join('\n')}`);
  process.exit(1);
}

/** Runs every tool of a line, also after one that failed, and gives back those that failed. */
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
