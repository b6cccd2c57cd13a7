import { launch } from '@app/brand-ui/launch';
import type { Plan } from '@app/contracts/plans';
import { showConfirm } from '@app/design-system/confirm';
import { keepDevice, siteSettings, type Device } from '@app/platform';
import { t } from './words.ts';

/** Whoever has no app yet chooses one here. */
export const EDITIONS = '/index#choose';

/** Goes to the payment of a plan; without a device to give it to, asks to begin in the app. */
export async function buyPlan(plan: Plan, device: Device | undefined): Promise<void> {
  if (device) return window.location.assign(paymentAddress(plan, { ...device, at: new Date() }));

  const isAgreed = await showConfirm({ title: t('plans.askTitle'), text: t('plans.ask') });
  if (isAgreed) launch({ href: siteSettings().launchUrl, getFrom: keepDevice(EDITIONS) });
}

export function paymentAddress({ mode }: Plan, { hwid, zone, at }: Device & { at: Date }): string {
  const query = new URLSearchParams({ hwid, mode: String(mode), zone, date: at.toISOString() });
  return `/api/create-payment?${query.toString()}`;
}
