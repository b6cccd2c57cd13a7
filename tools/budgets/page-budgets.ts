import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type Release, releaseSchema } from '../../shared/contracts/src/release.ts';
import { SHELL } from '../../shared/contracts/src/unit.ts';
import * as v from 'valibot';
import type { Row } from '../bench/table.ts';

/** A file that a page needs until it works. */
export interface Part {
  /** Unit and file without the hash, such as `marketing v5-page.js`: the same for each build. */
  name: string;
  kind: 'scripts' | 'styles';
  /** As it travels: compressed with brotli where that is there. */
  bytes: number;
}

interface BuiltUnit {
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

function readBuilt(folder: string): BuiltUnit[] {
  return readdirSync(folder)
    .map((version) => join(folder, version))
    .filter((path) => existsSync(join(path, 'release.json')))
    .map((path) => {
      const json: unknown = JSON.parse(readFileSync(join(path, 'release.json'), 'utf8'));
      return { folder: path, release: v.parse(releaseSchema, json) };
    });
}

function partOf({ release, folder }: BuiltUnit, file: string): Part {
  const compressed = join(folder, `${file}.br`);
  return {
    name: `${release.unit} ${file.replace(/^.*\//, '').replace(/\.[0-9a-f]{8}(?=\.\w+$)/, '')}`,
    kind: extname(file) === '.js' ? 'scripts' : 'styles',
    bytes: statSync(existsSync(compressed) ? compressed : join(folder, file)).size,
  };
}

/** `tools/budgets/budgets.json`, in kilobytes of 1000 bytes. */
export interface Budgets {
  routes: Readonly<Record<string, Readonly<Record<Part['kind'], number>>>>;
  /** How large each part was when the budgets were written. It says which part of a page has grown. */
  parts: Readonly<Record<string, number>>;
}

/** No page may need more scripts than this, whatever its budget says. */
export const MAX_SCRIPTS_KB = 110;
const MARGIN_KB = 0.5;

/**
 * Compares what pages need with their budgets.
 * @returns a row for each budget that is exceeded, with the parts of the page that have grown; a page without a budget is
 *   a row as well
 */
export function findOverruns(routes: ReadonlyMap<string, readonly Part[]>, budgets: Budgets): Row[] {
  return [...routes].flatMap(([path, parts]) =>
    (['scripts', 'styles'] as const).flatMap((kind) => {
      const budget = budgets.routes[path]?.[kind] ?? 0;
      const limit = kind === 'scripts' ? Math.min(budget, MAX_SCRIPTS_KB) : budget;
      const ofKind = parts.filter((part) => part.kind === kind);
      const now = sum(ofKind);
      return now <= limit ? [] : [{ path, kind, budget: limit, now, grew: diffBudgets(ofKind, budgets) }];
    }),
  );
}

export function writeBudgets(routes: ReadonlyMap<string, readonly Part[]>): Budgets {
  const limitOf = (parts: readonly Part[], kind: Part['kind']) =>
    round(sum(parts.filter((part) => part.kind === kind)) + MARGIN_KB);
  return {
    routes: Object.fromEntries(
      [...routes].map(([path, parts]) => [
        path,
        { scripts: limitOf(parts, 'scripts'), styles: limitOf(parts, 'styles') },
      ]),
    ),
    parts: Object.fromEntries([...routes.values()].flat().map(({ name, bytes }) => [name, round(bytes / 1000)])),
  };
}

function diffBudgets(parts: readonly Part[], budgets: Budgets): string {
  return parts
    .map(({ name, bytes }) => ({ name, by: round(bytes / 1000) - (budgets.parts[name] ?? 0) }))
    .filter(({ by }) => by > 0)
    .sort((a, b) => b.by - a.by)
    .map(({ name, by }) => `${name} +${by.toFixed(1)}`)
    .join(', ');
}

function sum(parts: readonly Part[]): number {
  return parts.reduce((total, { bytes }) => total + bytes, 0) / 1000;
}

function round(kb: number): number {
  return Math.round(kb * 10) / 10;
}
