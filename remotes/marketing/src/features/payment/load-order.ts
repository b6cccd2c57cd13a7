import { orderStatusSchema, type OrderStatus } from '@app/contracts/checkout';
import { ApiError, callApi } from '@app/platform';

/** An order that the server knows. */
export interface Order extends OrderStatus {
  /** The server's clock minus this device's, in milliseconds. */
  serverOffsetMs: number;
}

/**
 * Asks the server for an order.
 * @returns null when there is no such order
 */
export async function loadOrder(path: string, signal: AbortSignal): Promise<Order | null> {
  try {
    const order = await callApi(orderStatusSchema, path, { signal });
    return { ...order, serverOffsetMs: order.now - Date.now() };
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'PAY_ORDER' || error.code === 'request.invalid')) return null;
    throw error;
  }
}
