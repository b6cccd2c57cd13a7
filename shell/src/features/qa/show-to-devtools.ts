import { FEDERATION_MANIFEST, SHELL } from '@app/contracts/unit';
import { fetchJson } from '@app/platform';
import { generateSnapshotFromManifest, type Manifest } from '@module-federation/sdk';
import { listPageUnits } from './describe-page.ts';

type Snapshot = (typeof globalThis.__FEDERATION__)['moduleInfo'];

/** Makes a snapshot of each manifest, as the part of the federation runtime does it that pages do without. */
export async function showToDevtools(): Promise<void> {
  const federation = globalThis.__FEDERATION__;
  const [host] = federation.__INSTANCES__;
  if (!host) return;

  const remotesInfo: Record<string, { matchedVersion: string }> = {};
  const snapshot: Snapshot = {};
  await Promise.all(
    listPageUnits().map(async ({ unit, version, source }) => {
      if (unit === SHELL) {
        snapshot[SHELL] = { ...EMPTY_SNAPSHOT, version, buildVersion: version, remotesInfo };
        return;
      }
      remotesInfo[unit] = { matchedVersion: version };
      snapshot[`${unit}:${version}`] = { remoteEntry: '', version };
      // It has no manifest here.
      if (source === 'local') return;

      const entry = new URL(`/releases/${unit}/${version}/${FEDERATION_MANIFEST}`, location.href).href;
      const manifest = await fetchJson(entry).catch(() => undefined);
      if (manifest)
        snapshot[`${unit}:${version}`] = {
          ...generateSnapshotFromManifest(manifest as Manifest, { version: entry }),
          version,
        };
    }),
  );
  federation.moduleInfo = snapshot;
  federation.__SHARE__[SHELL] = host.shareScopeMap;
}

const EMPTY_SNAPSHOT = { consumerList: [], remoteTypesZip: '', shared: [] };
