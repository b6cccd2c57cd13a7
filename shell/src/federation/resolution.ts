import { RESOLUTION_ELEMENT_ID, resolutionSchema, UNITS, type RemoteUnit, type Resolution } from '@app/contracts/release';
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

export function listRemotes(): RemoteUnit[] {
  return UNITS.filter((unit) => unit !== 'shell');
}
