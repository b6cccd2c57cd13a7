import { createTransact } from '#api/foundation/audit/transact.ts';
import { REPOSITORIES as LICENCE_REPOSITORIES } from '#api/product/licences/transact.ts';
import { createOrdersRepository } from './orders.repository.ts';
import { createWebhookEventsRepository } from './webhook-events.repository.ts';

const REPOSITORIES = {
  ...LICENCE_REPOSITORIES,
  orders: createOrdersRepository,
  webhookEvents: createWebhookEventsRepository,
};

export const transact = createTransact(REPOSITORIES);
