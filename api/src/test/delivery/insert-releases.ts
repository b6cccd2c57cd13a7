import type { Release } from '@app/contracts/release';
import type { ChannelRow, Db } from '#api/foundation/db/schema.ts';
import { createChannelsRepository, createReleasesRepository } from '#api/delivery/registry/registry.repository.ts';
import { T0 } from '#api/test/build-rows.ts';

/** Puts releases into the registry, without files, and sets the channels of their units. */
export async function insertReleases(
  db: Db,
  releases: readonly Release[],
  channels: Readonly<Record<string, Partial<ChannelRow>>> = {},
): Promise<void> {
  const channelsOf = createChannelsRepository(db);
  for (const release of releases) {
    const { unit, version } = release;
    const manifest = JSON.stringify(release);
    await createReleasesRepository(db).add({
      unit,
      version,
      manifest,
      digest: manifest,
      bytes: 0,
      publishedAt: T0,
      publishedBy: 'test',
    });
  }
  await channelsOf.begin();
  for (const [unit, channel] of Object.entries(channels)) await channelsOf.save(unit, channel);
}
