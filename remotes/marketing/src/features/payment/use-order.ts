import { useIsLate } from '@app/design-system/use-is-late';
import { usePolling, useQuery, withQuery } from '@app/platform';
import type { Order } from './load-order.ts';

/** The interval of the requests until the payment is settled. */
const POLL_INTERVAL_MS = 3000;
const SLOW_POLL_INTERVAL_MS = 15_000;

export type OrderReading =
  /** There is no reference. */
  | { is: 'none' }
  /** There is no order with this reference. */
  | { is: 'unknown' }
  /** The payment is not settled. `isAway`: the server cannot be reached. */
  | { is: 'waiting'; isLate: boolean; isAway: boolean }
  | { is: 'active'; order: Order; activeUntil: number }
  /** `over`: it was paid, but its plan does not run on its device. */
  | { is: 'over' | 'failed' | 'expired' | 'refunded' };

/** Asks the server for an order until its payment is settled, and again whenever the visitor comes back to the page. */
export function useOrder(ref: string | null): OrderReading {
  const path = ref ? withQuery('/api/order-status', { ref }) : undefined;
  const query = useQuery(
    path,
    async (signal) => {
      // The page says that it waits before the schema that validates the answer is here.
      const { loadOrder } = await import(/* webpackChunkName: "statuses" */ './load-order.ts');
      return loadOrder(path ?? '', signal);
    },
    { onReturn: true },
  );

  const reading = path ? toOrderReading(query.data, query.status === 'failed') : ({ is: 'none' } as const);
  const isWaiting = reading.is === 'waiting';
  const isLate = useIsLate(isWaiting);
  usePolling(query.refetch, isWaiting ? (isLate ? SLOW_POLL_INTERVAL_MS : POLL_INTERVAL_MS) : undefined);

  return isWaiting ? { ...reading, isLate } : reading;
}

function toOrderReading(order: Order | null | undefined, isAway: boolean): OrderReading {
  if (order === null) return { is: 'unknown' };
  if (!order || order.state === 'created' || order.state === 'redirected')
    return { is: 'waiting', isLate: false, isAway };
  if (order.state !== 'paid') return { is: order.state };

  const { activeUntil } = order;
  return activeUntil === null ? { is: 'over' } : { is: 'active', order, activeUntil };
}
