import { launch } from '@app/brand-ui/launch';
import { leaveFor } from '@app/brand-ui/leave';
import { PAGES } from '@app/contracts/pages';
import type { Plan } from '@app/contracts/plans';
import { showConfirm } from '@app/design-system/confirm';
import { keepDevice, siteSettings, withQuery, type Device } from '@app/platform';
import { t } from './words.ts';

/** The address of the section where visitors choose an app. */
export const EDITIONS = `${PAGES.home}#choose`;

/** Goes to the payment of a plan. Without a device it asks the visitor to begin in the app. */
export async function buyPlan(plan: Plan, device: Device | undefined): Promise<void> {
  if (device) return leaveFor(paymentAddress(plan, { ...device, at: new Date() }), plan.id);

  const isAgreed = await showConfirm({ title: t('plans.askTitle'), text: t('plans.ask') });
  if (isAgreed) launch({ href: siteSettings().launchUrl, getFrom: keepDevice(EDITIONS) });
}

/** The address that starts the payment of a plan for a device. `at` is the time of the click. */
export function paymentAddress({ mode }: Plan, { hwid, zone, at }: Device & { at: Date }): string {
  return withQuery('/api/create-payment', { hwid, mode, zone, date: at.toISOString() });
}
