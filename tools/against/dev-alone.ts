import { pathToFileURL } from 'node:url';
import type { Configuration } from '@rspack/core';
import { devAgainst } from './dev-against.ts';

interface Options {
  unit: string;
  /** That of the unit's package.json. */
  version: string;
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
export async function serveUntilTold({ config, version: own, ...options }: Options & { config: URL }): Promise<void> {
  const version = `${own}-dev.working-copy`;
  // The config reads it.
  process.env['RELEASE_VERSION'] = version;

  const edited = await devAgainst({
    ...options,
    version,
    port: Number(process.env['PORT'] ?? 0),
    readConfig: async () => ((await import(config.href)) as { default: Configuration[] }).default,
    say: console.log,
  });
  console.log(`Ready on ${edited.url}: the pages of ${options.against}, with ${options.unit} from here`);
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve);
  });
  await edited.stop();
}
