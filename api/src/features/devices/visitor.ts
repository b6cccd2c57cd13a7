import type { OperatingSystem } from '@app/contracts/key-system';
import { hwidSchema, zoneSchema } from '@app/contracts/key-system-schemas';
import * as v from 'valibot';
import { parse } from '#api/http/parse.ts';

/** Who an address speaks of: a device, and the token its app passed along (empty where there was none). */
export interface Visitor {
  hwid: string;
  zone: string;
  /** The system that an address named, so that the next address names it too. */
  os?: OperatingSystem | undefined;
}

/** What is said of a device id or zone that does not fit. */
export const VISITOR_CODES = { hwid: 'KS_HWID', zone: 'KS_ZONE' } as const;

const visitorSchema = v.object({ hwid: hwidSchema, zone: zoneSchema });

/** Reads the device id, which must be one well-formed value. */
export function parseHwid(value: unknown): string {
  return parse(v.object({ hwid: hwidSchema }), { hwid: value }, VISITOR_CODES).hwid;
}

/** Reads the zone, which may be missing but not malformed. */
export function parseZone(value: unknown): string {
  return parse(v.object({ zone: zoneSchema }), { zone: value }, VISITOR_CODES).zone;
}

export function parseVisitor(query: Record<string, unknown>): Visitor {
  return parse(visitorSchema, query, VISITOR_CODES);
}
