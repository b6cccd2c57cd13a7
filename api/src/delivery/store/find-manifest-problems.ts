import { containerNameOf, SHELL, type Release } from '@app/contracts/release';
import { createFileNames, quoteName } from './file-names.ts';

/** A compressed twin lies beside the file that is listed, and is not listed itself. */
const UNLISTED = /\.(br|gz)$|^release\.json$/;

/** Finds what is wrong within a `release.json` itself: names that are no file names, and files that it does not list. */
export function findManifestProblems({ unit, version, entry, css, routes, files }: Release): string[] {
  const names = createFileNames();
  const problems: string[] = [];
  for (const name of Object.keys(files)) {
    const problem = names.add(name) ?? (UNLISTED.test(name) ? 'cannot be listed in release.json' : undefined);
    if (problem) problems.push(`${quoteName(name)} ${problem}`);
  }

  const needed = [entry.file, ...css, ...routes.flatMap((route) => [...route.preload, ...route.css])];
  for (const name of new Set(needed))
    if (!Object.hasOwn(files, name)) problems.push(`${quoteName(name)} is needed by a page, and is not listed`);
  if (problems.length > 0) return problems;

  if (entry.integrity !== `sha384-${files[entry.file]?.sha384}`)
    problems.push(`The integrity of ${entry.file} is not the hash that is listed for it`);

  const globalName = unit === SHELL ? undefined : containerNameOf(unit, version);
  if (entry.globalName !== globalName)
    problems.push(`The global name ${quoteName(entry.globalName ?? '')} is not ${globalName ?? 'left out'}`);
  return problems;
}
