import type { Db } from '#api/db/schema.ts';
import { createTransact } from '#api/features/audit/transact.ts';
import { createRepositories as createLicenceRepositories } from '#api/features/licences/transact.ts';
import { createOrdersRepository } from './orders.repository.ts';
import { createWebhookEventsRepository } from './webhook-events.repository.ts';

/** The repositories of every table that a payment writes. */
export const transact = createTransact((db: Db) => ({
  ...createLicenceRepositories(db),
  orders: createOrdersRepository(db),
  webhookEvents: createWebhookEventsRepository(db),
}));
