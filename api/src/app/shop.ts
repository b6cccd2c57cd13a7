import type { RequestHandler } from 'express';
import { redeemRoutes } from '#api/features/codes/redeem.routes.ts';
import { createContentFiles } from '#api/features/content/content-files.ts';
import { contentRoutes } from '#api/features/content/content.routes.ts';
import type { Pseudonyms } from '#api/features/devices/pseudonyms.ts';
import { createDemoDownloads } from '#api/features/downloads/demo-downloads.ts';
import { downloadsRoutes } from '#api/features/downloads/downloads.routes.ts';
import { createDownloadsService } from '#api/features/downloads/downloads.service.ts';
import { createLicencesRepository } from '#api/features/licences/licences.repository.ts';
import { createResetRequestsRepository } from '#api/features/licences/reset-requests.repository.ts';
import { licencesRoutes } from '#api/features/licences/licences.routes.ts';
import { createLicencesService } from '#api/features/licences/licences.service.ts';
import type { MailQueue } from '#api/features/mail/mail-queue.ts';
import { paymentsRoutes } from '#api/features/payments/payments.routes.ts';
import type { PaymentProvider } from '#api/features/payments/payment-provider.ts';
import type { Till } from '#api/features/payments/till.ts';
import { createOrderCipher } from '#api/features/payments/order-cipher.ts';
import { findPlan } from '#api/features/licences/find-plan.ts';
import { createEmailCipher } from '#api/features/licences/email-cipher.ts';
import { createPurchasesRepository } from '#api/features/purchases/purchases.repository.ts';
import { purchasesRoutes } from '#api/features/purchases/purchases.routes.ts';
import { createPurchasesService } from '#api/features/purchases/purchases.service.ts';
import { createResellersRepository } from '#api/features/resellers/resellers.repository.ts';
import { resellersRoutes } from '#api/features/resellers/resellers.routes.ts';
import { createResellersService } from '#api/features/resellers/resellers.service.ts';
import type { RateLimiter } from '#api/http/rate-limit.ts';
import type { AppDeps } from './app-deps.ts';

interface ShopParts {
  pseudonyms: Pseudonyms;
  mailQueue: MailQueue;
  limiter: RateLimiter;
  ownHost: () => string;
  /** Undefined when nobody can buy. */
  provider: PaymentProvider | undefined;
}

/**
 * Creates everything that is not the key system: purchases, resellers, licences, payments, texts and downloads.
 * @returns `api`: what is mounted below `/api`; `site`: what is mounted at the root
 */
export async function openShop(
  { db, log, now, pepper, limits, demoData, contentDir, downloads, baseUrl }: AppDeps,
  { pseudonyms, limiter, ownHost, mailQueue, provider }: ShopParts,
): Promise<{ api: RequestHandler[]; site: RequestHandler[] }> {
  const orderCipher = createOrderCipher(pepper);
  const purchases = createPurchasesService({
    purchases: createPurchasesRepository(db),
    openBuyer: (order) => orderCipher.openBuyer(order),
    now,
  });
  await purchases.refreshDemo(demoData);
  const resellers = createResellersService({ resellers: createResellersRepository(db), now });
  if (demoData) await resellers.seedSamples();
  const licences = createLicencesService({
    licences: createLicencesRepository(db),
    resetRequests: createResetRequestsRepository(db),
    pseudonyms,
    now,
  });
  const till: Till = {
    db,
    provider,
    mailQueue,
    pseudonyms,
    emails: createEmailCipher(pepper, pseudonyms),
    orderCipher,
    baseUrl,
    log,
    now,
  };
  const { settings, router: demoFiles } =
    downloads === 'demo' ? createDemoDownloads(baseUrl) : { settings: () => downloads, router: undefined };

  return {
    api: [
      limiter.byAddress({ name: 'site', max: limits.perAddress.reads }),
      purchasesRoutes(purchases),
      resellersRoutes(resellers),
      licencesRoutes({
        licences,
        findPlan: (hwid) => findPlan({ db, pseudonyms, now }, hwid),
        limits,
        limiter,
        now,
      }),
      redeemRoutes({ ...till, limits, limiter }),
      paymentsRoutes({ till, ownHost, limits, limiter }),
    ],
    site: [
      contentRoutes(createContentFiles(contentDir)),
      downloadsRoutes(createDownloadsService(settings)),
      ...(demoFiles ? [demoFiles] : []),
    ],
  };
}
