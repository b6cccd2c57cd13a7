import type { OperatingSystem } from '@app/contracts/key-system';
import { hwidSchema, zoneSchema } from '@app/contracts/key-system-schemas';
import * as v from 'valibot';
import { parse } from '#api/http/parse.ts';

/** What a request claims of its device, unproven: the id, and the token its app passed along (empty where there was none). */
export interface DeviceClaim {
  hwid: string;
  zone: string;
  /** The system that an address named, so that the next address names it too. */
  os?: OperatingSystem | undefined;
}

/** What is said of a device id or zone that does not fit. */
export const DEVICE_CLAIM_CODES = { hwid: 'KS_HWID', zone: 'KS_ZONE' } as const;

const deviceClaimSchema = v.object({ hwid: hwidSchema, zone: zoneSchema });

/** Reads the device id, which must be one well-formed value. */
export function parseHwid(value: unknown): string {
  return parse(v.object({ hwid: hwidSchema }), { hwid: value }, DEVICE_CLAIM_CODES).hwid;
}

/** Reads the zone, which may be missing but not malformed. */
export function parseZone(value: unknown): string {
  return parse(v.object({ zone: zoneSchema }), { zone: value }, DEVICE_CLAIM_CODES).zone;
}

export function parseDeviceClaim(query: Record<string, unknown>): DeviceClaim {
  return parse(deviceClaimSchema, query, DEVICE_CLAIM_CODES);
}
