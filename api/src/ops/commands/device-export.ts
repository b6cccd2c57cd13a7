import type { DeviceRow } from '#api/foundation/db/schema.ts';
import type { DeviceRecords } from '#api/product/devices/device-records.repository.ts';
import { PREFIX_LENGTH } from './device-status.ts';

/** Columns that are useless to a person and useful to a thief. */
const KEPT_BACK = new Set(['jws', 'tokenHash', 'sealedContext', 'sealedSubject', 'sealedZone', 'claimedBy']);

/** Prepares a device's rows for an export: shortens HMACs, and replaces secrets by a note. */
export function presentRecords(device: DeviceRow, records: DeviceRecords): Record<string, unknown> {
  const tables = Object.entries(records).map(([table, rows]) => [table, rows.map(presentRow)]);
  return { device: presentRow({ ...device }), ...(Object.fromEntries(tables) as object) };
}

function presentRow(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, presentValue(name, value)]));
}

function presentValue(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (KEPT_BACK.has(name)) return '(kept back)';

  return name.endsWith('Hmac') ? `${value.slice(0, PREFIX_LENGTH)}…` : value;
}
