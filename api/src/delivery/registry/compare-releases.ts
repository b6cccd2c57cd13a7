import type { ReleaseChanges } from '@app/contracts/registry';
import type { Release } from '@app/contracts/release';

/** Says what a release would change, compared with the stable one of its unit, if there is one. */
export function compareReleases(stable: Release | undefined, release: Release): ReleaseChanges {
  const [before, after] = [hashesOf(stable), hashesOf(release)];
  const [pagesBefore, pagesAfter] = [pathsOf(stable), pathsOf(release)];
  const kept = [...after].filter((hash) => before.has(hash)).length;

  return {
    from: stable?.version ?? null,
    bytes: { before: bytesOf(stable), after: bytesOf(release) },
    contract: { before: stable?.contract.version ?? null, after: release.contract.version },
    pages: {
      added: pagesAfter.filter((path) => !pagesBefore.includes(path)),
      removed: pagesBefore.filter((path) => !pagesAfter.includes(path)),
    },
    files: { added: after.size - kept, removed: before.size - kept, kept },
  };
}

/** Name and content of each file. */
function hashesOf(release: Release | undefined): Set<string> {
  return new Set(Object.entries(release?.files ?? {}).map(([name, { sha384 }]) => `${name} ${sha384}`));
}

function pathsOf(release: Release | undefined): string[] {
  return (release?.routes ?? []).map(({ path }) => path);
}

function bytesOf(release: Release | undefined): number {
  return Object.values(release?.files ?? {}).reduce((sum, { bytes }) => sum + bytes, 0);
}
