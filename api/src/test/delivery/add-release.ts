import type { Release } from '@app/contracts/release';
import type { Unit } from '@app/contracts/unit';
import type { Db } from '#api/foundation/db/schema.ts';
import { createReleasesRepository } from '#api/delivery/registry/registry.repository.ts';
import { buildRelease } from './build-release.ts';
import { readAudit } from '#api/test/sealed.ts';

/** Adds a release to the registry, as if a team had published it. It has no files. */
export async function addRelease(db: Db, unit: Unit, version: string, changes: Partial<Release> = {}, at = 0) {
  const release = buildRelease(unit, { version, ...changes });
  const manifest = JSON.stringify(release);
  await createReleasesRepository(db).add({
    unit,
    version,
    manifest,
    digest: `digest of ${unit}@${version}`,
    bytes: manifest.length,
    publishedAt: at,
    publishedBy: `${unit} team`,
  });
}

/** The events of the audit about channels, the oldest first. */
export async function listChannelChanges(db: Db): Promise<string[]> {
  const events = (await readAudit(db)).filter(({ kind }) => kind === 'channel');
  return events.map(({ code, detail: { unit, version, by } }) =>
    [code, unit, version, `by ${String(by)}`].filter(Boolean).join(' '),
  );
}
