import express, { type Express } from 'express';
import { openAdvertising } from './app/advertising.ts';
import type { AppDeps } from './app/app-deps.ts';
import { openFederation, type Federation } from './app/federation.ts';
import { openPayments } from './app/payments.ts';
import { openShop, type Shop } from './app/shop.ts';
import { createAltcha } from '#api/product/captcha/altcha.ts';
import { createCaptchaRepository } from '#api/product/captcha/captcha.repository.ts';
import { captchaRoutes } from '#api/product/captcha/captcha.routes.ts';
import { createCaptchaService } from '#api/product/captcha/captcha.service.ts';
import { createRecaptcha } from '#api/product/captcha/recaptcha.ts';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { createPepperCheckRepository } from '#api/foundation/visitors/pepper-check.repository.ts';
import { bindPepper } from '#api/foundation/visitors/pepper-check.ts';
import {
  createEnsureVisitorCookie,
  createReadClientIdentity,
  createVisitorCookie,
} from '#api/foundation/visitors/client-identity.ts';
import { createAttemptsRepository } from '#api/product/key-system/attempts.repository.ts';
import { findCaptchaCostFactor } from '#api/product/key-system/find-captcha-cost-factor.ts';
import { findProgress } from '#api/product/key-system/find-progress.ts';
import type { KeySystem } from '#api/product/key-system/key-system.ts';
import { createLaterWrites, type LaterWrites } from '#api/product/key-system/later-writes.ts';
import { keySystemRoutes } from '#api/product/key-system/key-system.routes.ts';
import { createRunsRepository } from '#api/product/key-system/runs.repository.ts';
import { createWaitingLine } from '#api/product/key-system/waiting-line.ts';
import { createSnapshotsRepository } from '#api/product/key-system/snapshots.repository.ts';
import { createKeySubjectCipher } from '#api/product/key-system/key-subject-cipher.ts';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import { jwksRoutes, keysRoutes } from '#api/product/keys/keys.routes.ts';
import { createKeysService } from '#api/product/keys/keys.service.ts';
import { createSigningKeysRepository } from '#api/product/keys/signing-keys.repository.ts';
import { createSigningKeysService } from '#api/product/keys/signing-keys.service.ts';
import { issuePlanKey } from '#api/product/licences/issue-plan-key.ts';
import { giveBackChecks } from '#api/product/sweeper/give-back-checks.ts';
import { createReadStyle } from '#api/delivery/pages/inline-styles.ts';
import { pagesRoutes } from '#api/delivery/pages/pages.routes.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import { createCallProvider, type ProviderError } from '#api/foundation/http/call-provider.ts';
import { noStore, securityHeaders, speakVersion } from '#api/foundation/http/headers.ts';
import { warnOfUnknownProxy } from './forwarded-warning.ts';
import { giveWay } from './give-way.ts';
import { handleError } from '#api/foundation/http/handle-error.ts';
import { healthRoutes } from './health.routes.ts';
import { interstitialRoutes } from '#api/foundation/http/html.ts';
import { createRateLimiter } from '#api/foundation/http/rate-limit.ts';
import { createMailQueue, type MailQueue } from '#api/product/mail/mail-queue.ts';
import { assignRequestId, logRequests, measureRequests } from '#api/foundation/http/observe-requests.ts';
import { BOOT_GUARD } from '#api/delivery/pages/boot-guard.ts';
import { LAY_OUT_PART } from '#api/delivery/pages/lay-out-in-parts.ts';
import { openapiRoutes } from '#api/product/openapi/openapi.routes.ts';

interface App {
  app: Express;
  keySystem: KeySystem;
  laterWrites: LaterWrites;
  mailQueue: MailQueue;
  licences: Shop['licences'];
  afterAnswer: Shop['afterAnswer'];
  followRegistry: Federation['follow'];
}

/**
 * Builds the API from its parts, and is the only place that wires them together. It opens no port and reads no
 * environment variable.
 * @returns what answers requests, and what the key system does in the background
 */
export async function createApp(deps: AppDeps): Promise<App> {
  const { db, log, now, baseUrl, pepper, signingKey, limits, callProvider: call = createCallProvider() } = deps;
  const warn = (error: ProviderError) => log.warn({ reason: error.message }, 'provider unavailable');

  await bindPepper(createPepperCheckRepository(db), pepper);
  const pseudonyms = createPseudonyms(pepper);
  await giveBackChecks({ db, instance: deps.instance, limits, at: now() });

  const { advertisers, settings, sandbox } = await openAdvertising(deps, { call, warn });
  const provider = deps.recaptcha
    ? createRecaptcha({ account: deps.recaptcha, call, now })
    : createAltcha({ pepper, now, cost: deps.captchaCost });
  const captcha = createCaptchaService({
    passes: createCaptchaRepository(db),
    provider,
    pseudonyms,
    passMs: limits.captchaPassMs,
    now,
  });
  const signingKeys = createSigningKeysRepository(db);
  const keys = createKeysService({
    keys: createKeysRepository(db),
    signingKeys,
    signingKey,
    pseudonyms,
    issuer: baseUrl,
    now,
  });
  await createSigningKeysService({ db, now }).open({
    active: signingKey,
    next: deps.nextSigningKey,
    emergencyKid: deps.emergencyKid,
  });

  const cookie = createVisitorCookie(pepper);
  const ensureVisitorCookie = createEnsureVisitorCookie({ cookie, now });
  const readIdentity = createReadClientIdentity({ cookie, pseudonyms, trustedHops: deps.trustProxy, now });
  const laterWrites = createLaterWrites({
    now,
    warn: (attempt, error) => log.error({ attempt, err: error }, 'verdict not written'),
  });
  const keySystem: KeySystem = {
    db,
    attempts: createAttemptsRepository(db),
    runs: createRunsRepository(db),
    snapshots: createSnapshotsRepository(db),
    instance: deps.instance,
    limits,
    advertisers,
    keys,
    pseudonyms,
    subjectCipher: createKeySubjectCipher(pepper),
    laterWrites,
    postbackSecret: () => settings().lootlabs.postbackSecret,
    isOverloaded: deps.load.isOverloaded,
    baseUrl,
    now,
  };

  const limiter = createRateLimiter({ now, trustedHops: deps.trustProxy });
  const ownOrigin = () => new URL(baseUrl()).origin;
  const mailQueue = createMailQueue(pepper);
  const payments = openPayments(deps);
  const federation = openFederation(deps, { pseudonyms, visitorCookie: cookie, ensureVisitorCookie, limiter });
  const shop = await openShop(deps, { pseudonyms, limiter, ownOrigin, mailQueue, provider: payments.provider });

  const app = express().disable('x-powered-by').set('trust proxy', deps.trustProxy);
  app.use(warnOfUnknownProxy({ trustedHops: deps.trustProxy, log, now }));
  app.use(assignRequestId(deps.trustProxy), measureRequests, logRequests(log));
  app.use(
    securityHeaders({
      baseUrl,
      contentUrls: deps.contentUrls,
      inlineScripts: [BOOT_GUARD, LAY_OUT_PART],
      recaptchaOrigin: deps.recaptcha?.origin,
      updatesUrl: deps.updatesUrl,
    }),
  );
  // First, because most requests are for pages, and each router before them costs each page something.
  if (deps.siteSettings)
    app.use(
      pagesRoutes({
        choose: federation.choose,
        answerPinLinks: federation.answerPinLinks,
        onSent: federation.onSent,
        settings: deps.siteSettings,
        baseUrl,
        prerendering: deps.prerendering,
        readStyle: createReadStyle(deps.releases.store.folder),
      }),
    );
  app.use('/readyz', limiter.byAddress({ name: 'readiness', max: limits.perAddress.readiness }));
  const unserved = () => deps.releases.registry.snapshot().unserved;
  app.use(healthRoutes({ db, isStopping: deps.isStopping, freeBytes: deps.freeBytes, unserved }), interstitialRoutes());

  app.use('/api', noStore);
  app.use(['/api', '/.well-known/jwks.json', '/openapi.json'], speakVersion);
  // One router for all calls, so that pages are compared with their prefix once.
  const api = express.Router();
  app.use('/api', api);
  // What can be asked for again waits first, so that runs that have begun go on.
  const { isOverloaded, isCrowded } = deps.load;
  const line = createWaitingLine(now);
  api.get('/keysystem/state', giveWay(isCrowded));
  api.use(...federation.api);
  api.use(
    captchaRoutes({
      captcha,
      costFactorOf: (by) => findCaptchaCostFactor(keySystem, by),
      readIdentity,
      ensureVisitorCookie,
      limits,
      limiter,
      // A captcha is solved to begin a run, so it waits as runs do.
      giveWay: giveWay(
        () => isOverloaded() || isCrowded(),
        (req) => line.join(readIdentity(req).networks[0]),
      ),
      warn,
    }),
  );
  const warnOfPostback = (fields: string[]) => log.warn({ fields }, 'postback not readable');
  api.use(keySystemRoutes({ keySystem, line, ensureVisitorCookie, readIdentity, ownOrigin, limiter, warnOfPostback }));
  api.use(
    keysRoutes({
      keys,
      findPlanKey: (appId, hwid) => issuePlanKey({ db, keys, pseudonyms, now }, appId, hwid),
      findProgress: (appId, visitor, by) => findProgress(keySystem, appId, visitor, by),
      readIdentity,
      limits,
      limiter,
      now,
    }),
  );
  api.use(...shop.api);
  app.use(jwksRoutes(keys), openapiRoutes(baseUrl));
  app.use(...shop.site);

  app.use(federation.qa);
  app.use('/releases', federation.onFile);
  for (const fake of [sandbox, payments.sandbox]) if (fake) app.use(fake);
  for (const router of deps.routers) app.use(router);

  app.use((req) => {
    throw new AppError('route.not_found', `Nothing answers ${req.method} here.`);
  });
  app.use(handleError((error, requestId) => log.error({ err: error, requestId }, 'request failed'), now));
  const { licences, afterAnswer } = shop;
  return { app, keySystem, laterWrites, mailQueue, licences, afterAnswer, followRegistry: federation.follow };
}
