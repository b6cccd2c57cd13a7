import type { Release } from '@app/contracts/release';
import type { Unit } from '@app/contracts/unit';
import type { ServedUnit, Snapshot } from '#api/delivery/registry/registry.ts';

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
  const entry = isShell ? 'static/js/shell.aaaaaaaa.js' : 'remoteEntry.aaaaaaaa.js';

  return {
    unit,
    version: '0.1.0',
    commit: '0123abc',
    contract: { version: '1.0' },
    entry: { file: entry, integrity: 'sha384-entry', ...(!isShell && { globalName: `${unit}__0_1_0` }) },
    css: isShell ? ['static/css/shell.aaaaaaaa.css'] : [],
    routes: [],
    files: {
      [entry]: { sha384: 'entry', bytes: 1 },
      'static/css/shell.aaaaaaaa.css': { sha384: 'frame', bytes: 1 },
    },
    ...changes,
  };
}

/** What is served when these are the stable releases of their units. */
export function buildSnapshot(releases: readonly Release[], changes: Record<Unit, Partial<ServedUnit>> = {}): Snapshot {
  return {
    revision: 1,
    unserved: [],
    units: new Map(releases.map((stable) => [stable.unit, { stable, ...changes[stable.unit] }])),
  };
}
