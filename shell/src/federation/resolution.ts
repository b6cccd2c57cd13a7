import {
  RESOLUTION_ELEMENT_ID,
  resolutionSchema,
  UNITS,
  type RemoteUnit,
  type Resolution,
} from '@app/contracts/release';
import * as v from 'valibot';

/** Reads which version of each unit the server chose for this page. */
export function readResolution(): Resolution {
  const text = document.getElementById(RESOLUTION_ELEMENT_ID)?.textContent ?? '';
  return v.parse(resolutionSchema, JSON.parse(text));
}

/** The remote that answers a path, if any does. */
export function findOwner(resolution: Resolution, pathname: string): RemoteUnit | undefined {
  return listRemotes().find((unit) => resolution.units[unit]?.routes.includes(pathname));
}

/** The title that the line of a path's page names, if it does. */
export function findLabel(resolution: Resolution, pathname: string): string | undefined {
  const owner = findOwner(resolution, pathname);
  return owner && resolution.units[owner]?.titles?.[pathname];
}

export function listRemotes(): RemoteUnit[] {
  return UNITS.filter((unit) => unit !== 'shell');
}
