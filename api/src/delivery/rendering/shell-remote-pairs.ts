import { findHostApiProblem } from '@app/contracts/host-api-fit';
import { type Release, SERVER_BUNDLE } from '@app/contracts/release';
import { SHELL, type Unit } from '@app/contracts/unit';
import { nameOf } from '#api/delivery/registry/registry.ts';

/** A remote in a shell, from which pages are rendered, in one language. */
export interface ShellRemotePair {
  shell: Release;
  remote: Release;
  /** The original one when it is left out. */
  language?: string;
}

/** Every remote in every shell and language, first those that most visitors get: the first releases of each unit. */
export function listPairs(units: Iterable<readonly [Unit, readonly Release[]]>): ShellRemotePair[] {
  const all = [...units];
  const ranked = (isWanted: (unit: Unit) => boolean) =>
    all.flatMap(([unit, releases]) => (isWanted(unit) ? releases.map((release, rank) => ({ release, rank })) : []));
  const remotes = ranked((unit) => unit !== SHELL);
  return ranked((unit) => unit === SHELL)
    .flatMap((shell) =>
      remotes.map((remote) => ({ shell: shell.release, remote: remote.release, rank: shell.rank + remote.rank })),
    )
    .flatMap(({ shell, remote, rank }) =>
      [undefined, ...Object.keys(shell.translations ?? {})].map((language, nth) => ({
        pair: { shell, remote, ...(language && { language }) },
        rank: rank + nth,
      })),
    )
    .sort((a, b) => a.rank - b.rank)
    .map(({ pair }) => pair);
}

/** Earlier builds have no server bundle. The shell's own pages are for the team, and render in the browser. */
export function canRender({ shell, remote }: ShellRemotePair): boolean {
  const haveBundles = [shell, remote].every(({ files }) => Object.hasOwn(files, SERVER_BUNDLE));
  return remote.unit !== SHELL && haveBundles && !findHostApiProblem(shell.contract, remote.contract);
}

export function nameOfPair({ shell, remote, language }: ShellRemotePair): string {
  const inLanguage = language ? ` (${language})` : '';
  return `${nameOf(remote)} in ${nameOf(shell)}${inLanguage}`;
}
