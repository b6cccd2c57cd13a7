import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Answer } from '../../../api/src/ops/command.ts';
import { OpsError, UsageError } from '../../../api/src/ops/command.ts';
import type { Packs } from '../../../shared/contracts/src/packs.ts';
import { adaptPipeline, checkName, type Ci, filesAloneOf, filesOf, PIPELINES } from '../unit-files.ts';

const NEW_FILE_MODE = 0o644;

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
export function makeUnit({ unit, site, ci, packs }: NewUnit): Answer {
  const problem = checkName(unit);
  if (problem) throw new UsageError(problem);
  if (!isKnown(ci)) throw new UsageError(`--ci is ${Object.keys(PIPELINES).join(' or ')}.`);

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

/** Beside the tool lie the texts that it writes. */
const HERE = new URL('.', import.meta.url);
const SETTINGS = new URL('settings/', HERE);

function readOwn(file: string): string {
  return readFileSync(new URL(file, HERE), 'utf8');
}

function isKnown(ci: string): ci is Ci {
  return Object.hasOwn(PIPELINES, ci);
}
