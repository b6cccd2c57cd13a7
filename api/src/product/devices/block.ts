import type { DeviceRow } from '#api/foundation/db/schema.ts';

/** An operator's block on a device. */
export interface Block {
  reason: string;
  /** Epoch milliseconds; null: until an operator lifts the block. */
  until: number | null;
}

/**
 * The block of a device; undefined when it has none, or when its time is over.
 * @param at epoch milliseconds
 */
export function blockOf(
  { blockReason: reason, blockedUntil: until }: Pick<DeviceRow, 'blockReason' | 'blockedUntil'>,
  at: number,
): Block | undefined {
  return reason !== null && (until === null || until > at) ? { reason, until } : undefined;
}
