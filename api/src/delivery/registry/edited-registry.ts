import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseSchema, SHELL, type Release } from '@app/contracts/release';
import * as v from 'valibot';
import type { Registry } from './registry.ts';
import type { ServedUnit } from './snapshot.ts';

/**
 * The units that `npm run dev` builds: they are served from where they are built, and read anew for every page. They are
 * not releases, because each edit changes them.
 * @param folder `<folder>/<unit>/<version>/release.json`
 */
export function readEditedUnits(folder: string): Registry {
  const read = () =>
    readdirSync(folder)
      .flatMap((unit) => readdirSync(join(folder, unit)).map((version) => join(folder, unit, version, 'release.json')))
      .flatMap((path) => {
        try {
          return [v.parse(releaseSchema, JSON.parse(readFileSync(path, 'utf8')))];
        } catch {
          return [];
        }
      })
      .sort((a, b) => Number(b.unit === SHELL) - Number(a.unit === SHELL));

  return {
    snapshot: () => ({
      revision: 0,
      unserved: [],
      units: new Map(read().map((release: Release): [string, ServedUnit] => [release.unit, { stable: release }])),
    }),
    find: (unit, version) =>
      Promise.resolve(read().find((release) => release.unit === unit && release.version === version)),
    refresh: () => Promise.resolve(),
  };
}
