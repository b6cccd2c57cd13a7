import type { Release, Unit } from '@app/contracts/release';

type Route = Release['routes'][number];

/** A route of a release, which search engines know under its own path. */
export function buildRoute(path: string, changes: Partial<Route> = {}): Route {
  return {
    path,
    title: '',
    shareTitle: 'What the page is',
    description: 'What the page is about.',
    picture: 'v5',
    canonical: path,
    preload: [],
    css: [],
    ...changes,
  };
}

/** A small but complete release, as the build would write it. */
export function buildRelease(unit: Unit, changes: Partial<Release> = {}): Release {
  const isShell = unit === 'shell';
  const entry = isShell ? 'static/js/shell.aa.js' : 'remoteEntry.aa.js';

  return {
    unit,
    version: '0.1.0',
    builtAt: '2026-01-15T12:00:00.000Z',
    contract: isShell ? { provides: '1.0' } : { requires: '1.0' },
    entry: { file: entry, integrity: 'sha384-entry', ...(!isShell && { globalName: `${unit}__0_1_0` }) },
    css: isShell ? ['static/css/shell.aa.css'] : [],
    routes: [],
    files: {
      [entry]: { sha384: 'entry', bytes: 1 },
      'static/css/shell.aa.css': { sha384: 'frame', bytes: 1 },
    },
    ...changes,
  };
}
