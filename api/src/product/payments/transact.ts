import type { Db } from '#api/foundation/db/schema.ts';
import { createTransact } from '#api/foundation/audit/transact.ts';
import { createRepositories as createLicenceRepositories } from '#api/product/licences/transact.ts';
import { createOrdersRepository } from './orders.repository.ts';
import { createWebhookEventsRepository } from './webhook-events.repository.ts';

/** The repositories of every table that a payment writes. */
export const transact = createTransact((db: Db) => ({
  ...createLicenceRepositories(db),
  orders: createOrdersRepository(db),
  webhookEvents: createWebhookEventsRepository(db),
}));
