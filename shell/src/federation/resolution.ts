import { SHELL, type Unit } from '@app/contracts/release';
import { RESOLUTION_ELEMENT_ID, resolutionSchema, type Resolution } from '@app/contracts/resolution';
import { callApi } from '@app/platform';
import * as v from 'valibot';

/**
 * Reads which version of each unit the server chose for this page.
 * @throws ValiError or SyntaxError when the document has no valid resolution
 */
export function readResolution(): Resolution {
  const text = document.getElementById(RESOLUTION_ELEMENT_ID)?.textContent ?? '';
  return v.parse(resolutionSchema, JSON.parse(text));
}

/**
 * Asks the server which versions a page at this address is made of now.
 * @throws ApiError, ValiError, or what `fetch` throws
 */
export function askResolution(signal?: AbortSignal): Promise<Resolution> {
  const page = encodeURIComponent(location.pathname + location.search);
  return callApi(resolutionSchema, `/api/federation/resolution?for=${page}`, signal && { signal });
}

/** The remote that owns a path. Undefined when none does. */
export function findOwner(resolution: Resolution, pathname: string): Unit | undefined {
  return listRemotes(resolution).find((unit) => resolution.units[unit]?.routes.includes(pathname));
}

/** The title of the page at a path, as its line in `routes.ts` names it. Undefined when it has none. */
export function findLabel(resolution: Resolution, pathname: string): string | undefined {
  const owner = findOwner(resolution, pathname);
  return owner && resolution.units[owner]?.titles?.[pathname];
}

/** Every unit except the shell. */
export function listRemotes({ units }: Resolution): Unit[] {
  return Object.keys(units).filter((unit) => unit !== SHELL);
}
