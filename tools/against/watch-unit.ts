import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rspack, type Configuration, type Stats } from '@rspack/core';
import * as v from 'valibot';
import { releaseSchema } from '../../shared/contracts/src/release.ts';
import type { Resolution } from '../../shared/contracts/src/resolution.ts';
import { findIncompatibility, SOURCE_MAPS, type EditedUnit } from './edited-unit.ts';

interface Options {
  config: Configuration;
  edited: EditedUnit;
  /** What the site serves. A build that does not fit it is not shown. */
  resolution: Resolution;
  /** Called after each build, with how long it took. */
  onBuilt: (ms: number) => void;
}

/**
 * Builds the edited unit as a release, and again after each edit. Notes in `edited` what came of it. A failed build
 * leaves the last good one in place.
 * @returns how to stop
 */
export function watchUnit({ config, edited, resolution, onBuilt }: Options): () => Promise<void> {
  const compiler = rspack({
    ...config,
    dependencies: [],
    devtool: 'source-map',
    // Edits of shared packages, which are links, are noticed below their real paths.
    resolve: { ...config.resolve, symlinks: true },
    output: { ...config.output, path: edited.folder, sourceMapFilename: `${SOURCE_MAPS}/[file].map` },
  });

  function note(stats: Stats): void {
    edited.problem = stats.hasErrors() ? stats.toString({ preset: 'errors-only', colors: false }) : undefined;
    if (edited.problem !== undefined) return;

    const release = readRelease(edited.folder);
    edited.problem = release ? findIncompatibility(resolution, release) : 'The build wrote no release.json.';
    edited.release = edited.problem === undefined ? release : undefined;
  }

  const watching = compiler.watch(compiler.options.watchOptions, (error, stats) => {
    if (error) edited.problem = error.message;
    else if (stats) note(stats);
    onBuilt((stats?.endTime ?? 0) - (stats?.startTime ?? 0));
  });

  return () =>
    new Promise((resolve) => {
      watching?.close(() => resolve());
    });
}

function readRelease(folder: string) {
  const path = join(folder, 'release.json');
  return existsSync(path) ? v.parse(releaseSchema, JSON.parse(readFileSync(path, 'utf8'))) : undefined;
}
