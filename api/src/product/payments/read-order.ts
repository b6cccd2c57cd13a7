import { PLANS } from '@app/contracts/plans';
import type { OrderStatus } from '@app/contracts/till';
import { activePlan } from '#api/product/licences/licence-periods.ts';
import { createLicencesRepository } from '#api/product/licences/licences.repository.ts';
import { createOrdersRepository } from './orders.repository.ts';
import type { Till } from './till.ts';

/** Reads how an order stands, for the page that its buyer comes back to. */
export async function readOrder({ db, now }: Till, ref: string): Promise<OrderStatus | undefined> {
  const at = now();
  const licences = createLicencesRepository(db);
  const order = await createOrdersRepository(db).find(ref);
  const plan = PLANS.find(({ mode }) => mode === order?.mode);
  if (!order || !plan) return undefined;

  const period = await licences.findPeriodOfOrder(order.id);
  const licence = period && (await licences.find(period.licenceId));
  const periods = await licences.listPeriodsOfDevice(order.hwidHmac, at);
  return {
    state: order.state,
    plan: plan.id,
    activeUntil: order.state === 'paid' ? (activePlan(periods, at)?.until ?? null) : null,
    showsName: order.showsName === 1,
    wantsReminder: licence?.wantsReminder === 1,
    now: at,
  };
}
