import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createJiti } from 'jiti';
import { rspack, type Configuration, type RspackPluginInstance } from '@rspack/core';
import { ReactRefreshRspackPlugin } from '@rspack/plugin-react-refresh';
import type { Routes } from '../../shared/contracts/src/pages.ts';
import type { Unit } from '../../shared/contracts/src/release.ts';

/** Where pages hear of what was built anew. Only `npm run dev` says so. */
const updatesUrl = process.env['DEV_UPDATES_URL'];

/** Whether units are built for whoever edits them, and not for visitors. */
export const isEdited = updatesUrl !== undefined;

const here = fileURLToPath(new URL('.', import.meta.url));

/** What shows an edit in an open page, its state kept. React lives in the shell, so React Refresh does too. Entries without a name come before every other. */
export function editingPlugins(unit: Unit): RspackPluginInstance[] {
  const isShell = unit === 'shell';
  const files = [updatesClient({ showsErrors: isShell }), ...(isShell ? [join(here, 'share-refresh.ts')] : [])];

  return [
    new ReactRefreshRspackPlugin({ library: 'site' }),
    ...files.map((file) => new rspack.EntryPlugin(here, file, {})),
  ];
}

/** What a remote takes from the page in place of a React Refresh of its own. */
export function editingExternals(unit: Unit): NonNullable<Configuration['externals']> {
  return unit === 'shell' ? {} : { 'react-refresh/runtime': `var reactRefreshOf('${unit}')` };
}

/** The lines of a unit's pages as they are now: its configuration read them once, at the start. */
export async function readRoutesAnew(unit: Unit, folder: string): Promise<Routes> {
  const jiti = createJiti(import.meta.url, { moduleCache: false });
  const { routes } = await jiti.import<{ routes: Routes }>(
    join(folder, unit === 'shell' ? 'src/pages/routes.ts' : 'src/routes.ts'),
  );
  return routes;
}

/** The part of the dev server that runs in the page. Each unit has its own; one is enough to show what does not build. */
function updatesClient({ showsErrors }: { showsErrors: boolean }): string {
  const { hostname, port } = new URL(updatesUrl ?? '');
  const overlay = JSON.stringify({ errors: showsErrors, warnings: false, runtimeErrors: false });

  return `@rspack/dev-server/client/index.js?${new URLSearchParams({ protocol: 'ws', hostname, port, pathname: '/ws', hot: 'true', logging: 'warn', overlay }).toString()}`;
}
