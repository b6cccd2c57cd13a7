import { pathToFileURL } from 'node:url';
import type { Configuration } from '@rspack/core';
import { SHELL } from '../../shared/contracts/src/unit.ts';
import { WORKING_COPY } from '../../shared/contracts/src/working-copy.ts';
import { devAgainst } from './dev-against.ts';

interface Options {
  unit: string;
  /** The origin of the site. */
  against: string;
}

/**
 * Serves the pages of a site with the unit in the folder where the command runs, until it is told to end.
 * @throws Error that says why the site cannot be worked with
 */
export function devAlone(options: Options): Promise<void> {
  return serveUntilTold({ ...options, config: pathToFileURL('rspack.config.ts') });
}

/** @param config the file with the unit's Rspack configurations */
export async function serveUntilTold({ config, ...options }: Options & { config: URL }): Promise<void> {
  // The config reads it.
  process.env['RELEASE_VERSION'] = WORKING_COPY;

  const edited = await devAgainst({
    ...options,
    version: WORKING_COPY,
    port: Number(process.env['PORT'] ?? 0),
    readConfig: async () => ((await import(config.href)) as { default: Configuration[] }).default,
    say: console.log,
  });
  const { unit, against } = options;
  console.log(`Ready on ${edited.url}: the pages of ${against}, with ${unit} from here`);
  if (unit !== SHELL)
    console.log(
      `Or point ${against}/qa at port ${new URL(edited.url).port}: its own pages then have ${unit} from here`,
    );
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve);
  });
  await edited.stop();
}
