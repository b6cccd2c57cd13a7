import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SHELL, type Release } from '@app/contracts/release';

/**
 * What a page may need of one unit, in bytes before compression: twice what the largest page of each needs here. A file
 * that is loaded later may be as large as a page.
 */
export const BUDGET_BYTES = { shell: 900_000, remote: 230_000 };

/**
 * What each shared package leaves in a minified build: texts and keys, because bundlers shorten names. The platform
 * contains the router and zustand.
 */
const MARKS: Readonly<Record<string, RegExp>> = {
  react: /takes an object of state variables to update/,
  'react-dom': /__reactContainer\$|__DOM_INTERNALS_DO_NOT_USE/,
  'react-router-dom': /may be used only in the context of a <Router> component/,
  zustand: /\bsetState:[^;]{1,90}\bgetInitialState:/,
};

/**
 * Finds what a release would make every page of the site pay for: more bytes than the budget, and packages of which the
 * page has a copy already.
 * @param folder where its files lie
 * @returns a sentence for each
 */
export async function findWeightProblems(release: Release, folder: string): Promise<string[]> {
  return [...findOverruns(release), ...(await findCopies(release, folder))];
}

function findOverruns({ unit, routes, files }: Release): string[] {
  const most = BUDGET_BYTES[unit === SHELL ? 'shell' : 'remote'];
  const needed = routes.map(({ path, preload, css }) => ({ what: path, names: [...new Set([...preload, ...css])] }));
  const withPages = new Set(needed.flatMap(({ names }) => names));
  const later = Object.keys(files)
    .filter((name) => /\.(js|css)$/.test(name) && !withPages.has(name))
    .map((name) => ({ what: name, names: [name] }));

  return [...needed, ...later].flatMap(({ what, names }) => {
    const bytes = names.reduce((sum, name) => sum + (files[name]?.bytes ?? 0), 0);
    return bytes <= most
      ? []
      : [
          `${what} needs ${inKilobytes(bytes)} of scripts and styles, the site's budget for a unit is ${inKilobytes(most)}`,
        ];
  });
}

async function findCopies({ unit, files }: Release, folder: string): Promise<string[]> {
  if (unit === SHELL) return [];

  const copies: string[] = [];
  for (const name of Object.keys(files).filter((file) => file.endsWith('.js'))) {
    const code = await readFile(join(folder, name), 'utf8');
    for (const [shared, mark] of Object.entries(MARKS))
      if (mark.test(code)) copies.push(`${name} contains a copy of ${shared}, which the page has already`);
  }
  return copies;
}

function inKilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1000)} kB`;
}
