import type { Release } from '@app/contracts/release';
import type { ChannelRow, Db } from '#api/foundation/db/schema.ts';
import { createRepositories } from '#api/delivery/registry/transact.ts';
import { T0 } from '#api/test/build-rows.ts';

/** Puts releases into the registry, without files, and sets the channels of their units. */
export async function insertReleases(
  db: Db,
  releases: readonly Release[],
  channels: Readonly<Record<string, Partial<ChannelRow>>> = {},
): Promise<void> {
  const repositories = createRepositories(db);
  for (const release of releases) {
    const { unit, version } = release;
    const manifest = JSON.stringify(release);
    await repositories.releases.add({
      unit,
      version,
      manifest,
      digest: manifest,
      bytes: 0,
      publishedAt: T0,
      publishedBy: 'test',
    });
  }
  await repositories.channels.begin();
  for (const [unit, channel] of Object.entries(channels)) await repositories.channels.save(unit, channel);
}
