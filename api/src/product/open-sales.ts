import type { Module, Site } from '#api/foundation/module.ts';
import { redeemRoutes } from './codes/redeem.routes.ts';
import { createEmailCipher } from './licences/email-cipher.ts';
import { licencesRoutes } from './licences/licences.routes.ts';
import type { Licences } from './licences/licences.ts';
import { createLinkDeviceCipher } from './licences/links.ts';
import { createMailQueue, type MailQueue } from './mail/mail-queue.ts';
import { createMailSender } from './mail/mail-sender.ts';
import type { SendMail } from './mail/mail-transport.ts';
import { createOrderCipher, type Checkout } from './payments/checkout.ts';
import { paymentsRoutes } from './payments/payments.routes.ts';
import { createFakeStripe } from './payments/sandbox/fake-stripe.ts';
import { createStripe } from './payments/stripe.ts';
import type { ProductSettings } from './product-settings.ts';
import { purchasesRoutes } from './purchases/purchases.routes.ts';
import { refreshDemo } from './purchases/list-purchases.ts';
import { resellersRoutes } from './resellers/resellers.routes.ts';
import { seedSampleResellers } from './resellers/change-resellers.ts';

/** How often the outbox of mails is looked at for what another server has queued, or is to be tried again. */
const MAIL_INTERVAL_MS = 30_000;

/** Opens what visitors pay with and for: payments, codes of resellers, licences, mails, and the feed of purchases. */
export async function openSales(
  site: Site,
  { limits, stripe, demoData, resetPrivacy }: ProductSettings,
  { sendMail }: { sendMail: SendMail },
): Promise<Module & { licences: Licences; mailQueue: MailQueue }> {
  const { db, log, now, baseUrl, pepper, pseudonyms, limiter, background } = site;
  const ownOrigin = () => new URL(baseUrl()).origin;

  const mailQueue = createMailQueue(pepper);
  const orderCipher = createOrderCipher(pepper);
  const emails = createEmailCipher(pepper, pseudonyms);
  const linkDevices = createLinkDeviceCipher(pepper);
  const licences: Licences = { db, emails, linkDevices, pseudonyms, mailQueue, limits, baseUrl, now };
  const { provider, sandbox } = openPayments(site, stripe);
  const checkout: Checkout = { db, provider, mailQueue, pseudonyms, emails, orderCipher, baseUrl, log, now };
  const afterAnswer = (run: () => Promise<unknown>) =>
    background.add({ run, onFailure: (error) => log.error({ err: error }, 'link not mailed') });

  await refreshDemo(db, demoData, now());
  if (demoData) await seedSampleResellers({ db }, now());
  const sender = createMailSender({ db, mailQueue, send: sendMail, log, now });

  return {
    routes: {
      api: [
        limiter.byAddress({ name: 'site', max: limits.perAddress.reads }),
        purchasesRoutes(db, (order) => orderCipher.openBuyer(order)),
        resellersRoutes(db),
        licencesRoutes({ licences, resetPrivacy, afterAnswer, ownOrigin, limits, limiter }),
        redeemRoutes({ ...checkout, ownOrigin, limiter }),
        paymentsRoutes({ checkout, ownOrigin, limits, limiter }),
      ],
      site: sandbox ? [sandbox] : [],
    },
    jobs: [
      {
        run: (signal) => sender.sendDue(signal),
        intervalMs: MAIL_INTERVAL_MS,
        onTrigger: (trigger) => mailQueue.onWake(trigger),
      },
    ],
    licences,
    mailQueue,
  };
}

/** Creates the provider of payments: Stripe, or on a development machine the fake one. */
function openPayments({ baseUrl, selfOrigin, now, log }: Site, stripe: ProductSettings['stripe']) {
  if (stripe === undefined) {
    log.warn('no plan can be bought: STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are not set');
    return {};
  }
  if (stripe !== 'sandbox') return { provider: createStripe({ account: () => stripe, now }) };

  const fake = createFakeStripe({ webhookUrl: () => `${selfOrigin()}/api/payment-webhook`, pageOrigin: baseUrl, now });
  const account = () => fake.account({ apiOrigin: selfOrigin(), pageOrigin: baseUrl() });
  return { provider: createStripe({ account, now }), sandbox: fake.router };
}
