import type { Resolution } from '@app/contracts/resolution';
import { askResolution, readResolution } from '../../federation/resolution.ts';

/**
 * Asks the server whether a page that is opened now is made of other versions than this one.
 * @returns what tells these versions from others; undefined when there are none, when the server does not answer, and for pages that
 *   QA has pinned
 */
export async function findNewer(): Promise<string | undefined> {
  const now = await askResolution().catch(() => undefined);
  const made = readResolution();
  if (!now || arePinned(made) || arePinned(now)) return undefined;

  const next = versionsOf(now);
  return next === versionsOf(made) ? undefined : next;
}

function arePinned({ qa }: Resolution): boolean {
  return Object.keys(qa?.pins ?? {}).length > 0;
}

function versionsOf({ units }: Resolution): string {
  return Object.entries(units)
    .map(([unit, { version }]) => `${unit}@${version}`)
    .sort()
    .join(' ');
}
