import type { Readable } from 'node:stream';
import type { Act } from '#api/features/audit/audit-entry.ts';
import { BadArchive } from './bad-archive.ts';
import { publishRelease, type Published, type PublishOptions } from './publish-release.ts';
import { receiveRelease, type ReceiveLimits } from './receive-release.ts';
import { refuse } from './refused.ts';
import type { Releases } from './releases.ts';

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
