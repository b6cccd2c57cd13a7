import { expect, test } from 'vitest';
import { findPlan } from '#api/product/licences/issue-plan-key.ts';
import { createLicencesRepository } from '#api/product/licences/licences.repository.ts';
import { T0 } from '#api/test/build-rows.ts';
import { beginOrder, buildPaid, buildCheckout } from '#api/test/product/build-checkout.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { receivePaymentEvent } from './receive-payment-event.ts';

const DAY = 24 * 60 * 60 * 1000;
const HWID = 'device-1234';

describeEachDatabase('what a stranger pays for a device', (db) => {
  /** A stranger has paid a year for the device; its owner pays for Plus. Both orders were begun before. */
  async function payBoth() {
    const { checkout, clock } = buildCheckout(db());
    const strangers = await beginOrder(checkout, HWID, 'premium', '2026-01-01T00:00:00.000Z');
    const owners = await beginOrder(checkout, HWID, 'plus', '2026-01-01T00:00:01.000Z');
    await receivePaymentEvent(checkout, buildPaid(strangers, { amountCents: 1499, email: 'mallory@example.com' }));
    await receivePaymentEvent(checkout, buildPaid(owners));
    return { checkout, clock, strangers };
  }

  test('postpones nothing: after a refund of it the owner’s plan runs as it was paid', async () => {
    const { checkout, strangers } = await payBoth();
    expect(await findPlan(checkout, HWID)).toMatchObject({ id: 'premium', until: T0 + 365 * DAY });

    await receivePaymentEvent(checkout, {
      id: 'evt_refund',
      type: 'charge.refunded',
      kind: 'reversed',
      paymentRef: `pi_${strangers}`,
      reason: 'refund',
    });

    expect(await findPlan(checkout, HWID)).toMatchObject({ id: 'plus', until: T0 + 30 * DAY });
  });

  test('postpones nothing: after its devices were reset the owner’s plan runs as it was paid', async () => {
    const { checkout } = await payBoth();
    const licences = createLicencesRepository(db());
    const [theirs] = await licences.listByEmail(checkout.emails.hmac('mallory@example.com'));

    await licences.unbindAll(theirs?.id ?? '', T0 + DAY);

    expect(await findPlan(checkout, HWID)).toMatchObject({ id: 'plus', until: T0 + 30 * DAY });
  });
});
