import type { Release } from '@app/contracts/release';
import type { Unit } from '@app/contracts/unit';
import type { Db } from '#api/foundation/db/schema.ts';
import { createReleasesRepository } from '#api/delivery/registry/registry.repository.ts';
import { buildRelease } from './build-release.ts';
import { sealed } from '#api/test/sealed.ts';

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
  await sealed(db);
  const events = await db
    .selectFrom('auditEvent')
    .select(['code', 'detail'])
    .where('kind', '=', 'channel')
    .orderBy('seq')
    .execute();
  return events.map(({ code, detail }) => {
    const { unit, version, by } = JSON.parse(detail) as Record<string, string | undefined>;
    return [code, unit, version, `by ${by ?? ''}`].filter(Boolean).join(' ');
  });
}
