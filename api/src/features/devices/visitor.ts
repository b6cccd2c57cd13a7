import { HWID_PATTERN, ZONE_PATTERN, type OperatingSystem } from '@app/contracts/key-system';
import { AppError } from '#api/http/app-error.ts';
import { singleString } from '#api/http/single-string.ts';

/** Who an address speaks of: a device, and the token its app passed along (empty where there was none). */
export interface Visitor {
  hwid: string;
  zone: string;
  /** The system that an address named, so that the next address names it too. */
  os?: OperatingSystem | undefined;
}

/** Reads the device id, which must be one well-formed value. */
export function parseHwid(value: unknown): string {
  const hwid = singleString(value);
  if (hwid === undefined || !HWID_PATTERN.test(hwid)) throw new AppError('KS_HWID');

  return hwid;
}

/** Reads the zone, which may be missing but not malformed. */
export function parseZone(value: unknown): string {
  if (value === undefined || value === '') return '';

  const zone = singleString(value);
  if (zone === undefined || !ZONE_PATTERN.test(zone)) throw new AppError('KS_ZONE');

  return zone;
}

export function parseVisitor(query: Record<string, unknown>): Visitor {
  return { hwid: parseHwid(query['hwid']), zone: parseZone(query['zone']) };
}
