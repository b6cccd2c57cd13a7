import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../run.ts';
import { installPeers } from './install-peers.ts';

const APP = 'scripts/bench/next-export';
/** For the repository's own check of types. Next.js makes one for itself. */
const OWN_TYPES = 'tsconfig.json';

/**
 * Exports our pages as a static site with Next.js, in a folder beside it. The app takes everything else, React too, from
 * the packages of the repository. Rejects when Next.js cannot be installed or the build fails.
 * @returns the absolute path of the exported files
 */
export async function exportWithNext(): Promise<string> {
  const peers = await installPeers();
  // As deep as the sources, so that what these import from the repository is found.
  const app = join(peers, 'next-export');
  rmSync(app, { recursive: true, force: true });
  cpSync(APP, app, { recursive: true, filter: (source) => !source.endsWith(OWN_TYPES) });
  await run(process.execPath, [join(peers, 'node_modules/next/dist/bin/next'), 'build', '--webpack'], {
    cwd: app,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
  });
  return join(app, 'out');
}
