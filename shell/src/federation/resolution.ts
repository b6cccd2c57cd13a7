import type { Resolution } from '@app/contracts/resolution';
import { RESOLUTION_ELEMENT_ID, SHELL, type Unit } from '@app/contracts/unit';
import { fetchJson } from '@app/platform';

/** @throws SyntaxError or TypeError when the document has no resolution */
export function readResolution(): Resolution {
  const text = document.getElementById(RESOLUTION_ELEMENT_ID)?.textContent ?? '';
  return parseResolution(JSON.parse(text));
}

/** What a page at this address is made of now. @throws ApiError, TypeError, or what `fetch` throws */
export async function fetchResolution(signal?: AbortSignal): Promise<Resolution> {
  const page = encodeURIComponent(location.pathname + location.search);
  return parseResolution(await fetchJson(`/api/federation/resolution?for=${page}`, signal && { signal }));
}

/** The site's own server wrote it, by the same schema. A check by its schema would make every page 2 KB larger. */
function parseResolution(said: unknown): Resolution {
  if (typeof said !== 'object' || said === null || !('units' in said)) throw new TypeError('There is no resolution');
  return said as Resolution;
}

/** The remote that owns a path. Undefined when none does. */
export function findOwner({ units }: Resolution, pathname: string): Unit | undefined {
  return Object.keys(units).find((unit) => unit !== SHELL && units[unit]?.routes.includes(pathname));
}

/** The title of the page at a path, as its line in `routes.ts` names it. Undefined when it has none. */
export function findLabel(resolution: Resolution, pathname: string): string | undefined {
  const owner = findOwner(resolution, pathname);
  return owner && resolution.units[owner]?.titles?.[pathname];
}
