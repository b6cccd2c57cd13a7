import type { OrderState } from '@app/contracts/till';

/**
 * The states that an order can move to a state from. An order is `created` before the provider knows it, `redirected`
 * when its buyer was sent to pay. Money that arrives late counts: a failed or expired order can still be paid.
 */
export const BEFORE = {
  redirected: ['created'],
  failed: ['created', 'redirected'],
  expired: ['created', 'redirected'],
  paid: ['created', 'redirected', 'failed', 'expired'],
  refunded: ['paid'],
} as const satisfies Record<Exclude<OrderState, 'created'>, readonly OrderState[]>;

/** The state that an order goes back to `paid` from, when a dispute was won. */
export const BEFORE_RESTORED = ['refunded'] as const satisfies readonly OrderState[];

/** The states in which an order waits for its buyer. */
export const OPEN_STATES: readonly OrderState[] = ['created', 'redirected'];
