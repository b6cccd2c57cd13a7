import type { Readable } from 'node:stream';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { BadArchive } from '#api/delivery/store/bad-archive.ts';
import { publishRelease, type Published, type PublishOptions } from './publish-release.ts';
import { receiveRelease, type ReceiveLimits } from '#api/delivery/store/receive-release.ts';
import { refuse } from '#api/delivery/registry/refused.ts';
import type { Releases } from '#api/delivery/rendering/releases.ts';

/**
 * Publishes a release that comes in as a tar.gz. It is published when all of it is there.
 * @param body see `receiveRelease`
 * @param isStillAllowed is called when everything is here, and throws when it may not be published any more
 */
export async function publishArchive(
  releases: Pick<Releases, 'db' | 'store' | 'prerendering' | 'now'>,
  body: Readable,
  options: Pick<Act, 'by'> & PublishOptions,
  { limits, isStillAllowed }: { limits?: ReceiveLimits | undefined; isStillAllowed?: () => Promise<void> } = {},
): Promise<Published> {
  const staged = await releases.store.stage();
  try {
    await receiveRelease(body, staged, limits);
    await isStillAllowed?.();
  } catch (error) {
    await releases.store.discard(staged);
    if (error instanceof BadArchive) return refuse('invalid', error.message);
    throw error;
  }
  return publishRelease(releases, staged, { ...options, at: releases.now() });
}
