import { existsSync, readdirSync } from 'node:fs';
import { runAndKeep } from './run.mjs';

/** Every folder with a tsconfig.json of its own; each says which world its code lives in. */
const projects = ['.', 'shell', 'api', 'e2e', ...foldersIn('remotes'), ...foldersIn('shared')].filter((folder) =>
  existsSync(`${folder}/tsconfig.json`),
);

/** One line of tools for each of two cores: the lint takes as long as all the others. */
const LINES = [
  ['eslint . --max-warnings 0'],
  [
    'prettier --check --log-level warn .',
    // One process reads the types of libraries once for all projects. By the dates of files it would miss a change in a shared file.
    `tsc -b --force ${projects.join(' ')}`,
    'depcruise --config .dependency-cruiser.mjs shell remotes api shared e2e',
  ],
];

const failed = (await Promise.all(LINES.map(runLine))).flat();
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}`);
  process.exit(1);
}

/** Runs every tool of a line, also after one that failed, and gives back the names of those that failed. */
async function runLine(tools) {
  const failedTools = [];
  for (const tool of tools) {
    const [name, ...args] = tool.split(' ');
    const { isOk } = await runAndKeep(`node_modules/.bin/${name}`, args, { isBeside: true });
    if (!isOk) failedTools.push(name);
  }
  return failedTools;
}

function foldersIn(folder) {
  return readdirSync(folder).map((name) => `${folder}/${name}`);
}
