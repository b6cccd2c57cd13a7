import { launch } from '@app/brand-ui/launch';
import { navigateTo } from '@app/brand-ui/leave';
import { PAGES } from '@app/contracts/pages';
import type { Plan } from '@app/contracts/plans';
import { showConfirm } from '@app/design-system/confirm';
import { keepDevice, siteSettings, withQuery, type Device } from '@app/platform';
import { t } from './words.ts';

export const EDITIONS = `${PAGES.home}#choose`;

/** Goes to the payment of a plan. Without a device it asks the visitor to begin in the app. */
export async function buyPlan(plan: Plan, device: Device | undefined): Promise<void> {
  if (device) return navigateTo(paymentAddress(plan, device, new Date()), plan.id);

  const isAgreed = await showConfirm({ title: t('plans.askTitle'), text: t('plans.ask') });
  if (isAgreed) launch({ href: siteSettings().launchUrl, getFrom: keepDevice(EDITIONS) });
}

/**
 * The address that starts the payment of a plan.
 * @param device without it, the server takes the one of the page's address
 * @param at the time of the click, which tells it from another one
 */
export function paymentAddress({ mode }: Plan, device: Device | undefined, at?: Date): string {
  return withQuery('/api/create-payment', { hwid: device?.hwid, mode, zone: device?.zone, date: at?.toISOString() });
}
