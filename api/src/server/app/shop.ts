import type { RequestHandler } from 'express';
import { redeemRoutes } from '#api/product/codes/redeem.routes.ts';
import { createContentFiles } from '#api/product/content/content-files.ts';
import { contentRoutes } from '#api/product/content/content.routes.ts';
import type { Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { createDemoDownloads } from '#api/product/downloads/demo-downloads.ts';
import { downloadsRoutes } from '#api/product/downloads/downloads.routes.ts';
import { createDownloadsService } from '#api/product/downloads/downloads.service.ts';
import { createAfterAnswer, type AfterAnswer } from '#api/product/licences/after-answer.ts';
import type { Licences } from '#api/product/licences/licences.ts';
import { licencesRoutes } from '#api/product/licences/licences.routes.ts';
import { createLinkDeviceCipher } from '#api/product/licences/link-device-cipher.ts';
import { linksRoutes } from '#api/product/licences/links.routes.ts';
import type { MailQueue } from '#api/product/mail/mail-queue.ts';
import { paymentsRoutes } from '#api/product/payments/payments.routes.ts';
import type { PaymentProvider } from '#api/product/payments/payment-provider.ts';
import type { Till } from '#api/product/payments/till.ts';
import { createOrderCipher } from '#api/product/payments/order-cipher.ts';
import { findPlan } from '#api/product/licences/find-plan.ts';
import { createEmailCipher } from '#api/product/licences/email-cipher.ts';
import { createPurchasesRepository } from '#api/product/purchases/purchases.repository.ts';
import { purchasesRoutes } from '#api/product/purchases/purchases.routes.ts';
import { createPurchasesService } from '#api/product/purchases/purchases.service.ts';
import { createResellersRepository } from '#api/product/resellers/resellers.repository.ts';
import { resellersRoutes } from '#api/product/resellers/resellers.routes.ts';
import { createResellersService } from '#api/product/resellers/resellers.service.ts';
import type { RateLimiter } from '#api/foundation/http/rate-limit.ts';
import type { AppDeps } from './app-deps.ts';

interface ShopParts {
  pseudonyms: Pseudonyms;
  mailQueue: MailQueue;
  limiter: RateLimiter;
  ownOrigin: () => string;
  /** Undefined when nobody can buy. */
  provider: PaymentProvider | undefined;
}

export interface Shop {
  /** What is mounted below `/api`. */
  api: RequestHandler[];
  /** What is mounted at the root. */
  site: RequestHandler[];
  licences: Licences;
  /** What is still to be done for requests that were answered. */
  afterAnswer: AfterAnswer;
}

/** Creates everything that is not the key system: purchases, resellers, licences, payments, texts and downloads. */
export async function openShop(
  { db, log, now, pepper, limits, demoData, contentDir, downloads, baseUrl, resetPrivacy }: AppDeps,
  { pseudonyms, limiter, ownOrigin, mailQueue, provider }: ShopParts,
): Promise<Shop> {
  const orderCipher = createOrderCipher(pepper);
  const purchases = createPurchasesService({
    purchases: createPurchasesRepository(db),
    openBuyer: (order) => orderCipher.openBuyer(order),
    now,
  });
  await purchases.refreshDemo(demoData);
  const resellers = createResellersService({ resellers: createResellersRepository(db), now });
  if (demoData) await resellers.seedSamples();
  const emails = createEmailCipher(pepper, pseudonyms);
  const linkDevices = createLinkDeviceCipher(pepper);
  const licences: Licences = { db, emails, linkDevices, pseudonyms, mailQueue, limits, baseUrl, now };
  const afterAnswer = createAfterAnswer((error) => log.error({ err: error }, 'link not mailed'));
  const till: Till = {
    db,
    provider,
    mailQueue,
    pseudonyms,
    emails,
    orderCipher,
    baseUrl,
    log,
    now,
  };
  const { settings, router: demoFiles } =
    downloads === 'demo' ? createDemoDownloads(baseUrl) : { settings: () => downloads, router: undefined };

  return {
    licences,
    afterAnswer,
    api: [
      limiter.byAddress({ name: 'site', max: limits.perAddress.reads }),
      purchasesRoutes(purchases),
      resellersRoutes(resellers),
      licencesRoutes({
        licences,
        findPlan: (hwid) => findPlan({ db, pseudonyms, now }, hwid),
        resetPrivacy,
        afterAnswer,
        limits,
        limiter,
      }),
      linksRoutes({ licences, afterAnswer, limits, limiter }),
      redeemRoutes({ ...till, limiter }),
      paymentsRoutes({ till, ownOrigin, limits, limiter }),
    ],
    site: [
      contentRoutes(createContentFiles(contentDir)),
      downloadsRoutes(createDownloadsService(settings)),
      ...(demoFiles ? [demoFiles] : []),
    ],
  };
}
