import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type Release, releaseSchema } from '../../shared/contracts/src/release.ts';
import { SHELL } from '../../shared/contracts/src/unit.ts';
import * as v from 'valibot';

/** A file that a page needs until it works. */
export interface Part {
  /** Unit and file without the hash, such as `marketing v5-page.js`: the same for each build. */
  name: string;
  kind: 'scripts' | 'styles';
  /** As it travels: compressed with brotli where that is there. */
  bytes: number;
}

interface Built {
  release: Release;
  folder: string;
}

/**
 * Lists what the page of each route needs until it works: the shell, and what its line in release.json names.
 * @param dist the folder of the build, with one version of each unit
 * @returns path → parts; the shell's own pages are for the team and not in it
 */
export function measureRoutes(dist: string): Map<string, Part[]> {
  const units = readdirSync(dist, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => readBuilt(join(dist, name)));
  const shell = units.find(({ release }) => release.unit === SHELL);
  if (!shell) throw new Error('No shell has been built. Run: npm run build');

  const frame = [shell.release.entry.file, ...shell.release.css].map((file) => partOf(shell, file));
  return new Map(
    units
      .filter((unit) => unit !== shell)
      .flatMap((unit) =>
        unit.release.routes.map(({ path, preload, css }) => [
          path,
          [...frame, ...[...preload, ...css].map((file) => partOf(unit, file))],
        ]),
      ),
  );
}

function readBuilt(folder: string): Built[] {
  return readdirSync(folder)
    .map((version) => join(folder, version))
    .filter((path) => existsSync(join(path, 'release.json')))
    .map((path) => ({ folder: path, release: readRelease(join(path, 'release.json')) }));
}

function readRelease(path: string): Release {
  return v.parse(releaseSchema, JSON.parse(readFileSync(path, 'utf8')));
}

function partOf({ release, folder }: Built, file: string): Part {
  const compressed = join(folder, `${file}.br`);
  return {
    name: `${release.unit} ${file.replace(/^.*\//, '').replace(/\.[0-9a-f]{8}(?=\.\w+$)/, '')}`,
    kind: extname(file) === '.js' ? 'scripts' : 'styles',
    bytes: statSync(existsSync(compressed) ? compressed : join(folder, file)).size,
  };
}
