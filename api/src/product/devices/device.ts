import type { OperatingSystem } from '@app/contracts/key-system';
import { hwidSchema, zoneSchema } from '@app/contracts/app-calls';
import type { Request } from 'express';
import * as v from 'valibot';
import { parse } from '#api/foundation/http/request-input.ts';
import type { DeviceRow } from '#api/foundation/db/schema.ts';

/** The device id and zone that a request names, unproven. The zone is empty where there is none. */
export interface DeviceClaim {
  hwid: string;
  zone: string;
  /** The operating system that the address named, so that the next address names it too. */
  os?: OperatingSystem | undefined;
}

export const DEVICE_CLAIM_CODES = { hwid: 'KS_HWID', zone: 'KS_ZONE', app: 'KS_APP' } as const;

const deviceClaimSchema = v.object({ hwid: hwidSchema, zone: zoneSchema });

/** @throws AppError `KS_HWID` when it is missing, malformed or given twice */
export function parseHwid(value: unknown): string {
  return parse(v.object({ hwid: hwidSchema }), { hwid: value }, DEVICE_CLAIM_CODES).hwid;
}

/** @throws AppError `KS_HWID` or `KS_ZONE` */
export function parseDeviceClaim(query: Record<string, unknown>): DeviceClaim {
  return parse(deviceClaimSchema, query, DEVICE_CLAIM_CODES);
}

/**
 * The query that names a request's device: its own, else that of our page which led here. One document serves every
 * device, so its links and forms name none until the page works.
 */
export function deviceQuery({ query, headers }: Request): Record<string, unknown> {
  if (query['hwid'] !== undefined) return query;

  const { referer = '', host } = headers;
  const from = URL.canParse(referer) ? new URL(referer) : undefined;
  return from?.host === host ? Object.fromEntries(from?.searchParams ?? []) : query;
}

/** An operator's block on a device. */
export interface Block {
  reason: string;
  /** Epoch milliseconds; null: until an operator lifts the block. */
  until: number | null;
}

/** Undefined when the device has no block, or its time is over. */
export function blockOf(
  { blockReason: reason, blockedUntil: until }: Pick<DeviceRow, 'blockReason' | 'blockedUntil'>,
  at: number,
): Block | undefined {
  return reason !== null && (until === null || until > at) ? { reason, until } : undefined;
}
