import type { DeviceRow } from '#api/db/schema.ts';

/** An operator's block on a device. */
export interface Block {
  reason: string;
  /** Without a time it lasts until an operator takes it back. */
  until: number | null;
}

/** The block that a device is under: there is one while its row has a reason and its time, if it has one, is not over. */
export function blockOf(
  { blockReason: reason, blockedUntil: until }: Pick<DeviceRow, 'blockReason' | 'blockedUntil'>,
  at: number,
): Block | undefined {
  return reason !== null && (until === null || until > at) ? { reason, until } : undefined;
}
