import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startSite, type MeasuredServer } from '../measure/servers.ts';

const SERVER_BUNDLE = 'server.cjs';
const CLIENT_RENDERED = 'dist/.client-rendered';

/**
 * Starts the site as it is without pages that are rendered ahead of time: the same build without its server bundles,
 * whose pages make their first call themselves, once their code runs.
 */
export async function startClientRendered(): Promise<MeasuredServer> {
  rmSync(CLIENT_RENDERED, { recursive: true, force: true });
  for (const target of readdirSync('dist')) {
    if (target.startsWith('.')) continue;
    const copy = join(CLIENT_RENDERED, 'dist', target);
    cpSync(join('dist', target), copy, { recursive: true });
    for (const version of readdirSync(copy)) withoutRendering(join(copy, version));
  }
  symlinkSync(resolve('api'), join(CLIENT_RENDERED, 'api'));
  return startSite({}, { root: CLIENT_RENDERED });
}

function withoutRendering(folder: string): void {
  const manifest = join(folder, 'release.json');
  if (!existsSync(manifest)) return;

  const release = JSON.parse(readFileSync(manifest, 'utf8')) as {
    files: Record<string, unknown>;
    routes: { firstCall?: string }[];
  };
  delete release.files[SERVER_BUNDLE];
  for (const route of release.routes) delete route.firstCall;
  writeFileSync(manifest, JSON.stringify(release));
  rmSync(join(folder, SERVER_BUNDLE), { force: true });
}
