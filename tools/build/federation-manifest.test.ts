import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Release } from '../../shared/contracts/src/release.ts';
import { FEDERATION_MANIFEST, HOST_API_VERSION } from '../../shared/contracts/src/unit.ts';
import { listUnitFolders } from './units.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Assets {
  sync: string[];
  async: string[];
}

/** The parts of a manifest that hosts read. */
interface Manifest {
  name: string;
  metaData: { globalName: string; publicPath: string; remoteEntry: object; buildInfo: { buildVersion: string } };
  exposes: { path: string; assets: { js: Assets; css: Assets } }[];
  integrity: Record<string, string>;
  shared: { name: string; version: string; requiredVersion: string }[];
}

const [shell, ...remotes] = listUnitFolders(ROOT).map((folder) => readBuilt(basename(folder)));

test('the manifest of a remote leads a host to its entry, and to every file of its pages, with its hash', () => {
  expect(remotes.length).toBeGreaterThan(3);
  for (const { manifest, release } of remotes) {
    expect(manifest).toMatchObject({
      name: release.unit,
      metaData: {
        globalName: release.entry.globalName,
        publicPath: 'auto',
        remoteEntry: { name: release.entry.file, path: '', type: 'global' },
        buildInfo: { buildVersion: release.version },
      },
      exposes: [{ path: './remote' }],
    });

    const { js, css } = manifest.exposes[0]?.assets ?? {};
    expect(js?.sync, 'what a host would load without the entry').toEqual([]);
    const named = [js, css].flatMap((assets) => [...(assets?.sync ?? []), ...(assets?.async ?? [])]);
    const ofPages = release.routes.flatMap((route) => [...route.preload, ...route.css]);
    expect([release.entry.file, ...named]).toEqual(expect.arrayContaining(ofPages));
    const hashes = Object.entries(release.files).map(([name, { sha384 }]) => [name, `sha384-${sha384}`] as const);
    expect(manifest.integrity).toEqual(Object.fromEntries(hashes.filter(([name]) => named.includes(name))));
    expect(Object.keys(manifest.integrity).sort()).toEqual(named.sort());
  }
});

test('a manifest names the versions of the shared packages: those that the shell gives, and of them what a remote needs', () => {
  const given = new Map(shell?.manifest.shared.map((one) => [one.name, one.version]));
  expect([...given.keys()].sort()).toEqual(Object.keys(shell?.release.contract.provides ?? {}).sort());
  expect(given.get('@app/platform')).toBe(`${HOST_API_VERSION}.0`);

  for (const { manifest, release } of remotes) {
    const needed = manifest.shared.map(({ name }) => name).sort();
    expect(needed, release.unit).toEqual(Object.keys(release.contract.requires ?? {}).sort());
    for (const { name, version, requiredVersion } of manifest.shared)
      expect([name, version, requiredVersion]).toEqual([name, given.get(name), `^${given.get(name)}`]);
  }
});

test('a release lists its manifest as it lists every file, and nothing that names its sources', () => {
  for (const { release } of [shell, ...remotes].filter((unit) => unit !== undefined)) {
    expect(Object.keys(release.files)).toContain(FEDERATION_MANIFEST);
    expect(Object.keys(release.files)).not.toContain('mf-stats.json');
  }
});

/** What `npm run build` has made of a unit. */
function readBuilt(unit: string): { manifest: Manifest; release: Release } {
  const versions = readdirSync(join(ROOT, 'dist', unit)).filter((name) => !name.startsWith('.'));
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(join(ROOT, 'dist', unit, versions[0] ?? '', name), 'utf8'));
  return { manifest: read(FEDERATION_MANIFEST) as Manifest, release: read('release.json') as Release };
}
