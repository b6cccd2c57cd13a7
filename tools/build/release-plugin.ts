import { readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Compiler, RspackPluginInstance } from '@rspack/core';
import { SERVER_BUNDLE, SERVER_MAP } from '../../shared/contracts/src/release.ts';
import { assetsOf, describeRelease, type DescribedUnit } from './describe-release.ts';
import { isEdited, readRoutesAnew } from './editing.ts';
import { compressFile, writeRelease } from './write-release.ts';

/**
 * Writes release.json beside the files that it describes. It is written last, by a rename, and the files of an earlier
 * build are removed after it. So a reader finds either the old release or the new one, never a mixture. In the build of
 * `npm run dev` nothing is removed, because open pages still fetch older updates.
 */
export class ReleasePlugin implements RspackPluginInstance {
  readonly #unit: DescribedUnit;

  constructor(unit: DescribedUnit) {
    this.#unit = unit;
  }

  apply(compiler: Compiler): void {
    const folder = compiler.options.output.path ?? '';

    if (isEdited) {
      compiler.hooks.done.tapPromise('ReleasePlugin', async (stats) => {
        try {
          const routes = await readRoutesAnew(this.#unit.unit, compiler.context);
          writeRelease(folder, describeRelease({ ...this.#unit, routes }, folder, stats));
        } catch (error) {
          compiler.getInfrastructureLogger('release').error(error instanceof Error ? error.message : error);
        }
      });
      return;
    }

    compiler.hooks.done.tap('ReleasePlugin', (stats) => {
      if (stats.hasErrors()) return;

      const names = assetsOf(stats);
      const compressed = names.flatMap((name) =>
        compressFile(join(folder, name)).map((path) => relative(folder, path)),
      );
      writeRelease(folder, describeRelease(this.#unit, folder, stats));
      removeOthers(folder, new Set([...names, ...compressed, SERVER_BUNDLE, SERVER_MAP, 'release.json']));
    });
  }
}

function removeOthers(folder: string, keep: ReadonlySet<string>): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (statSync(path).isFile() && !keep.has(relative(folder, path))) rmSync(path);
  }
}
