import type { OrderStatus } from '@app/contracts/checkout';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { TestApi } from '#api/test/create-test-api.ts';
import { requireLocation, WHO } from './visitor-steps.ts';

/** Follows the button of a plan, and returns the address of the provider's page. */
export async function buy(api: TestApi, mode = '2', date = '2026-01-15T12:00:00.000Z'): Promise<string> {
  const res = await api.visit(`/api/create-payment?${WHO}&mode=${mode}&date=${date}`);
  expect(res.status).toBe(303);
  expect(res.headers.get('referrer-policy')).toBe('no-referrer');
  expect(res.headers.get('cache-control')).toBe('no-store');
  return requireLocation(res);
}

/** Presses a button on the provider's page, and returns where it leads. */
export async function press(api: TestApi, page: string, fields: Record<string, string>): Promise<string> {
  const res = await api.ask(page, { method: 'POST', body: new URLSearchParams(fields) });
  return requireLocation(res);
}

export const readOrder = async (api: TestApi, ref: string | null) =>
  (await (await api.ask(`/api/order-status?ref=${ref ?? ''}`)).json()) as OrderStatus;

export const refOf = (address: string) => new URL(address, 'https://site.example').searchParams.get('ref');

export const readKey = async (api: TestApi, app = 'main') =>
  (await (await api.ask(`/api/key?${WHO}&app=${app}`)).json()) as { status: string; key: string; expiresAt: number };

export const countRows = async (api: TestApi, table: 'purchaseOrder' | 'licencePeriod' | 'device') =>
  (await api.db.selectFrom(table).select(sql.lit(1).as('one')).execute()).length;
