import { extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rspack, type Configuration, type RspackPluginInstance } from '@rspack/core';
import { ReactRefreshRspackPlugin } from '@rspack/plugin-react-refresh';
import type { Routes } from '../../shared/contracts/src/pages.ts';
import { ERRORS_PATH } from '../against/name-sources.ts';
import { SHELL, type Unit } from '../../shared/contracts/src/unit.ts';

/** The WebSocket address that tells open pages about new builds. Only `npm run dev` sets it. */
const updatesUrl = process.env['DEV_UPDATES_URL'];

/** Whether this is the build of `npm run dev`, and not one for visitors. */
export const isEdited = updatesUrl !== undefined;

const here = fileURLToPath(new URL('.', import.meta.url));

/**
 * The plugins that show an edit in an open page and keep its state. React is in the shell, so React Refresh is too. The
 * entries have no name, so Rspack runs them before all others.
 */
export function editingPlugins(unit: Unit): RspackPluginInstance[] {
  const isShell = unit === SHELL;
  const files = [
    updatesClient({ showsErrors: isShell }),
    ...(isShell
      ? [
          join(here, `share-refresh${extname(import.meta.filename)}`),
          `${join(here, '../against/client.js')}?${(updatesUrl ?? '').replace(/^ws/, 'http')}${ERRORS_PATH}`,
        ]
      : []),
  ];

  return [
    new ReactRefreshRspackPlugin({ library: 'site' }),
    ...files.map((file) => new rspack.EntryPlugin(here, file, {})),
  ];
}

/** Makes a remote use the shell's React Refresh instead of its own copy. */
export function editingExternals(unit: Unit): NonNullable<Configuration['externals']> {
  return unit === SHELL ? {} : { 'react-refresh/runtime': `var reactRefreshOf('${unit}')` };
}

/** Reads a unit's `routes.ts` again, because the Rspack config has read it only once, at the start. */
export async function readRoutesAnew(unit: Unit, folder: string): Promise<Routes> {
  const file = pathToFileURL(join(folder, unit === SHELL ? 'src/pages/routes.ts' : 'src/routes.ts'));
  // Node reads a module once for each address.
  const { routes } = (await import(`${file.href}?${Date.now()}`)) as { routes: Routes };
  return routes;
}

/** The client of the dev server that runs in the page. Each unit has one; only the shell's shows build errors. */
function updatesClient({ showsErrors }: { showsErrors: boolean }): string {
  const { hostname, port } = new URL(updatesUrl ?? '');
  const overlay = JSON.stringify({ errors: showsErrors, warnings: false, runtimeErrors: false });

  return `@rspack/dev-server/client/index.js?${new URLSearchParams({ protocol: 'ws', hostname, port, pathname: '/ws', hot: 'true', logging: 'warn', overlay }).toString()}`;
}
