import type { Router } from 'express';
import type { AuditTrust } from '#api/foundation/audit/audit-trust.ts';
import type { Signer, NamedKey } from '#api/foundation/crypto/signing-key.ts';
import { createCallProvider, type CallProvider, type ProviderError } from '#api/foundation/http/call-provider.ts';
import { shedLoad, type ServerLoad } from '#api/foundation/http/shed-load.ts';
import { withTimeout } from '#api/foundation/jobs/with-timeout.ts';
import type { Module, Site } from '#api/foundation/module.ts';
import type { AdvertisersSettings } from './advertisers/advertisers-settings.ts';
import { openAdvertising } from './advertisers/open-advertising.ts';
import { createAltcha } from './captcha/altcha.ts';
import { createAppsRepository, requireApp } from './apps/apps.repository.ts';
import { captchaRoutes } from './captcha/captcha.routes.ts';
import { createCaptchaService } from './captcha/captcha.service.ts';
import { createRecaptcha, type RecaptchaAccount } from './captcha/recaptcha.ts';
import { redeemRoutes } from './codes/redeem.routes.ts';
import { createContentFiles, writeDefaultContent } from './content/content-files.ts';
import { contentRoutes } from './content/content.routes.ts';
import { parseHwid } from './devices/device.ts';
import { createDemoDownloads } from './downloads/demo-downloads.ts';
import type { DownloadsSettings } from './downloads/downloads-settings.ts';
import { downloadsRoutes } from './downloads/downloads.routes.ts';
import { createDownloadsService } from './downloads/downloads.service.ts';
import { keySystemRoutes } from './key-system/key-system.routes.ts';
import type { KeySystem } from './key-system/key-system.ts';
import { createAdmissionQueue } from './key-system/start/admission-queue.ts';
import { runFormsRoutes } from './key-system/start/run-forms.routes.ts';
import type { Limits } from '#api/product/limits/limits.ts';
import { findCaptchaCostFactor } from './key-system/start/open-run.ts';
import { findProgress, readState } from './key-system/state/read-state.ts';
import { createRetryQueue, type RetryQueue } from './key-system/return/retry-queue.ts';
import { creditConfirmed } from './key-system/sweep-runs.ts';
import { createKeySubjectCipher } from './key-system/ticket.ts';
import { createFindKey, jwksRoutes, keysRoutes } from './keys/keys.routes.ts';
import { createKeysService } from './keys/keys.service.ts';
import { describeKeyEvents } from './keys/describe-key-events.ts';
import { createSigningKeysService } from './keys/signing-keys.service.ts';
import { createAfterAnswer } from './licences/after-answer.ts';
import { createEmailCipher } from './licences/email-cipher.ts';
import { fillMailboxes } from './licences/fill-mailboxes.ts';
import { issuePlanKey } from './licences/issue-plan-key.ts';
import { licencesRoutes } from './licences/licences.routes.ts';
import type { Licences } from './licences/licences.ts';
import { createLinkDeviceCipher } from './licences/links.ts';
import { remindOwners } from './licences/remind-owners.ts';
import { createMailQueue, type MailQueue } from './mail/mail-queue.ts';
import { createMailSender } from './mail/mail-sender.ts';
import type { SendMail } from './mail/mail-transport.ts';
import { openapiRoutes } from './openapi/openapi.routes.ts';
import { createOrderCipher, type Checkout } from './payments/checkout.ts';
import type { PaymentProvider } from './payments/payment-provider.ts';
import { paymentsRoutes } from './payments/payments.routes.ts';
import { createFakeStripe } from './payments/sandbox/fake-stripe.ts';
import { createStripe, type StripeAccount } from './payments/stripe.ts';
import { purchasesRoutes } from './purchases/purchases.routes.ts';
import { createPurchasesService } from './purchases/purchases.service.ts';
import { resellersRoutes } from './resellers/resellers.routes.ts';
import { createResellersService } from './resellers/resellers.service.ts';
import { createCounting } from './stats/count-runs.ts';
import { createCountsRepository } from './stats/counts.repository.ts';
import { statsRoutes } from './stats/stats.routes.ts';
import { releaseStaleClaims } from './sweeper/release-stale-claims.ts';
import { createSweep } from './sweeper/sweeper.ts';

/** How often the queue of mails is looked at for what another server has queued, or is to be tried again. */
const MAIL_PAUSE_MS = 30_000;

const SWEEP_PAUSE_MS = 60_000;

/** What operators have set for the product. */
export interface ProductSettings {
  /** Accounts with the advertisers, or the fake advertisers of a development machine. */
  advertisers: AdvertisersSettings | 'sandbox';
  /** The account with Stripe, or the fake Stripe of a development machine. Without one no plan can be bought. */
  stripe?: StripeAccount | 'sandbox' | undefined;
  /** The address that opens our own apps. */
  launchUrl: string;
  /** The account with reCAPTCHA, if the site uses it instead of ALTCHA. */
  recaptcha?: RecaptchaAccount | undefined;
  /** The addresses of the downloads, or the demo files of a development machine. */
  downloads: DownloadsSettings | 'demo';
  /** Times, limits, strikes, retention. */
  limits: Limits;
  /** Whether the site fills itself with demo purchases and sample resellers while it has none of its own. */
  demoData: boolean;
  /** The folder with the texts that can change without a deploy. */
  contentDir: string;
  /** The addresses that pages fetch those texts from, where these are on other sites: the usual one, then the fallback. */
  contentUrls?: readonly (string | undefined)[];
  /** Whether the form that resets devices tells who has a plan (`spec`), or answers every address alike. */
  resetPrivacy: 'spec' | 'strict';
  /** For tests: the cost of an ALTCHA challenge. */
  captchaCost?: number | undefined;
  /** For tests: how many keys its solver derives, instead of a random number. */
  captchaRounds?: number | undefined;
  /** For tests: the shortest stay at every advertiser, in milliseconds. */
  minDwellMs?: number | undefined;
}

export interface ProductParts {
  signingKey: Signer;
  /** The key that will sign next. It is published beforehand, so that apps know it in time. */
  nextSigningKey?: NamedKey | undefined;
  /** The `kid` of a signing key that may sign at once, although it was not published before. */
  emergencyKid?: string | undefined;
  /** Stores the trusted keys and the anchors of the audit. */
  auditTrust: AuditTrust;
  sendMail: SendMail;
  load: ServerLoad;
  callProvider?: CallProvider | undefined;
}

export interface Product extends Module {
  keySystem: KeySystem;
  retryQueue: RetryQueue;
  mailQueue: MailQueue;
}

/** Creates everything about runs, keys, plans, payments and what else visitors come for. */
export async function openProduct(site: Site, settings: ProductSettings, parts: ProductParts): Promise<Product> {
  const { db, log, now, baseUrl, pepper, instance, pseudonyms, ensureVisitorCookie, readIdentity, limiter } = site;
  const { limits, recaptcha } = settings;
  const { signingKey, load, callProvider: call = createCallProvider() } = parts;
  const warn = (error: ProviderError) => log.warn({ reason: error.message }, 'provider unavailable');
  const ownOrigin = () => new URL(baseUrl()).origin;

  if (settings.demoData) writeDefaultContent(settings.contentDir);
  await releaseStaleClaims({ db, instance, limits, at: now() });
  const { advertisers, accounts, sandbox } = await openAdvertising(site, settings, { call, warn });
  const provider = recaptcha
    ? createRecaptcha({ account: recaptcha, call, now })
    : createAltcha({ pepper, now, cost: settings.captchaCost, rounds: settings.captchaRounds });
  const captcha = createCaptchaService({
    db,
    provider,
    pseudonyms,
    passMs: limits.captchaPassMs,
    now,
  });
  const keys = createKeysService({
    db,
    signingKey,
    pseudonyms,
    issuer: baseUrl,
    now,
  });
  await createSigningKeysService({ db, now }).open({
    active: signingKey,
    next: parts.nextSigningKey,
    emergencyKid: parts.emergencyKid,
  });
  const retryQueue = createRetryQueue({
    now,
    warn: (attempt, error) => log.error({ attempt, err: error }, 'verdict not written'),
  });
  const keySystem: KeySystem = {
    db,
    instance,
    limits,
    advertisers,
    keys,
    pseudonyms,
    subjectCipher: createKeySubjectCipher(pepper),
    retryQueue,
    postbackSecret: () => accounts().lootlabs.postbackSecret,
    isOverloaded: load.isOverloaded,
    baseUrl,
    now,
  };
  const admissionQueue = createAdmissionQueue(now);

  const mailQueue = createMailQueue(pepper);
  const orderCipher = createOrderCipher(pepper);
  const emails = createEmailCipher(pepper, pseudonyms);
  const linkDevices = createLinkDeviceCipher(pepper);
  const licences: Licences = { db, emails, linkDevices, pseudonyms, mailQueue, limits, baseUrl, now };
  const afterAnswer = createAfterAnswer((error) => log.error({ err: error }, 'link not mailed'));
  const payments = openPayments(site, settings.stripe);
  const checkout: Checkout = {
    db,
    provider: payments.provider,
    mailQueue,
    pseudonyms,
    emails,
    orderCipher,
    baseUrl,
    log,
    now,
  };

  const purchases = createPurchasesService({
    db,
    openBuyer: (order) => orderCipher.openBuyer(order),
    now,
  });
  await purchases.refreshDemo(settings.demoData);
  const resellers = createResellersService({ db, now });
  if (settings.demoData) await resellers.seedSamples();
  const { settings: downloads, router: demoFiles } =
    settings.downloads === 'demo'
      ? createDemoDownloads(baseUrl)
      : { settings: () => settings.downloads as DownloadsSettings, router: undefined };

  const findKey = createFindKey({
    keys,
    findPlanKey: (appId, hwid) => issuePlanKey({ db, keys, pseudonyms, now }, appId, hwid),
    findProgress: (appId, visitor, by) => findProgress(keySystem, appId, visitor, by),
  });
  const limitKeys = limiter.byDevice(
    { name: 'key', max: limits.keysPerMinute },
    (req) => parseHwid(req.query['hwid']),
    limits.perAddress.reads,
  );

  const sender = createMailSender({ db, mailQueue, send: parts.sendMail, log, now });
  const sweep = createSweep({
    db,
    limits,
    creditConfirmed: (limit) => creditConfirmed(keySystem, limit),
    remindOwners: (limit) => remindOwners(licences, limit),
    fillMailboxes: (limit) => fillMailboxes(licences, limit),
    countedUntil: (what) => createCountsRepository(db).readUntil(...what),
    signingKey: () => signingKey,
    auditTrust: parts.auditTrust,
    log,
    now,
  });

  return {
    routes: {
      api: [
        captchaRoutes({
          captcha,
          costFactorOf: (by) => findCaptchaCostFactor(keySystem, by),
          readIdentity,
          ensureVisitorCookie,
          limits,
          limiter,
          // A captcha is solved to begin a run, so it waits as runs do.
          shedLoad: shedLoad(
            () => load.isOverloaded() || load.isCrowded(),
            (req) => admissionQueue.join(readIdentity(req).networks[0]),
          ),
          warn,
        }),
        keySystemRoutes({
          keySystem,
          admissionQueue,
          // What can be asked for again waits first, so that runs that have begun go on.
          shedStates: shedLoad(load.isCrowded),
          ensureVisitorCookie,
          readIdentity,
          ownOrigin,
          limiter,
          warnOfPostback: (fields) => log.warn({ fields }, 'postback not readable'),
        }),
        keysRoutes({
          requireApp: (app) => requireApp(db, app),
          keys,
          findKey,
          limitKeys,
          readIdentity,
          limits,
          limiter,
          now,
        }),
        statsRoutes({ db, limiter, now }),
        limiter.byAddress({ name: 'site', max: limits.perAddress.reads }),
        purchasesRoutes(purchases),
        resellersRoutes(resellers),
        licencesRoutes({ licences, resetPrivacy: settings.resetPrivacy, afterAnswer, ownOrigin, limits, limiter }),
        redeemRoutes({ ...checkout, ownOrigin, limiter }),
        paymentsRoutes({ checkout, ownOrigin, limits, limiter }),
      ],
      site: [
        runFormsRoutes({
          findKey,
          readState: (app, visitor, by) => readState(keySystem, app, visitor, by),
          findScheme: async (app) => (await createAppsRepository(db).find(app))?.scheme ?? settings.launchUrl,
          limitKeys,
          readIdentity,
          ownOrigin,
          now,
        }),
        jwksRoutes(keys),
        openapiRoutes(baseUrl, limits),
        contentRoutes(createContentFiles(settings.contentDir)),
        downloadsRoutes(createDownloadsService(downloads)),
        ...[demoFiles, sandbox, payments.sandbox].filter((router) => router !== undefined),
      ],
    },
    policy: { contentUrls: settings.contentUrls, recaptchaOrigin: recaptcha?.origin },
    jobs: [
      {
        run: (signal) => sender.sendDue(signal),
        pauseMs: MAIL_PAUSE_MS,
        hurriedBy: (hurry) => mailQueue.whenWoken(hurry),
      },
      { run: sweep, pauseMs: SWEEP_PAUSE_MS },
      { run: createCounting({ db, log, now }), pauseMs: SWEEP_PAUSE_MS },
    ],
    webhooks: describeKeyEvents(db),
    hurry: () => retryQueue.hurry(),
    async close(ms) {
      await Promise.all([retryQueue.finish(ms), withTimeout(ms, afterAnswer.finish(), undefined)]);
    },
    keySystem,
    retryQueue,
    mailQueue,
  };
}

interface Payments {
  /** Undefined where no plan can be bought. */
  provider: PaymentProvider | undefined;
  /** The fake Stripe of a development machine. */
  sandbox: Router | undefined;
}

/** Creates the provider of payments: Stripe, or on a development machine the fake one. */
function openPayments({ baseUrl, selfOrigin, now, log }: Site, stripe: ProductSettings['stripe']): Payments {
  if (stripe === undefined) {
    log.warn('no plan can be bought: STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are not set');
    return { provider: undefined, sandbox: undefined };
  }
  if (stripe !== 'sandbox') return { provider: createStripe({ account: () => stripe, now }), sandbox: undefined };

  const fake = createFakeStripe({ webhookUrl: () => `${selfOrigin()}/api/payment-webhook`, pageOrigin: baseUrl, now });
  const account = () => fake.account({ apiOrigin: selfOrigin(), pageOrigin: baseUrl() });
  return { provider: createStripe({ account, now }), sandbox: fake.router };
}
