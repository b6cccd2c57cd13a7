import express, { type Express } from 'express';
import { openAdvertising } from './app/advertising.ts';
import type { AppDeps } from './app/app-deps.ts';
import { openFederation, type Federation } from './app/federation.ts';
import { openPayments } from './app/payments.ts';
import { openShop, type Shop } from './app/shop.ts';
import { createAltcha } from './features/captcha/altcha.ts';
import { createCaptchaRepository } from './features/captcha/captcha.repository.ts';
import { captchaRoutes } from './features/captcha/captcha.routes.ts';
import { createCaptchaService } from './features/captcha/captcha.service.ts';
import { createRecaptcha } from './features/captcha/recaptcha.ts';
import { createPseudonyms } from './features/devices/pseudonyms.ts';
import { createPepperCheckRepository } from './features/devices/pepper-check.repository.ts';
import { bindPepper } from './features/devices/pepper-check.ts';
import { createReadClientIdentity } from './features/devices/client-identity.ts';
import { createEnsureVisitorCookie } from './features/devices/ensure-visitor-cookie.ts';
import { createVisitorCookie } from './features/devices/visitor-cookie.ts';
import { createAttemptsRepository } from './features/key-system/attempts.repository.ts';
import { findCaptchaCostFactor } from './features/key-system/find-captcha-cost-factor.ts';
import { findProgress } from './features/key-system/find-progress.ts';
import type { KeySystem } from './features/key-system/key-system.ts';
import { createLaterWrites, type LaterWrites } from './features/key-system/later-writes.ts';
import { keySystemRoutes } from './features/key-system/key-system.routes.ts';
import { createRunsRepository } from './features/key-system/runs.repository.ts';
import { createWaitingLine } from './features/key-system/waiting-line.ts';
import { createSnapshotsRepository } from './features/key-system/snapshots.repository.ts';
import { createKeySubjectCipher } from './features/key-system/key-subject-cipher.ts';
import { createKeysRepository } from './features/keys/keys.repository.ts';
import { jwksRoutes, keysRoutes } from './features/keys/keys.routes.ts';
import { createKeysService } from './features/keys/keys.service.ts';
import { createSigningKeysRepository } from './features/keys/signing-keys.repository.ts';
import { createSigningKeysService } from './features/keys/signing-keys.service.ts';
import { issuePlanKey } from './features/licences/issue-plan-key.ts';
import { giveBackChecks } from './features/sweeper/give-back-checks.ts';
import { createReadStyle } from './html/inline-styles.ts';
import { pagesRoutes } from './html/pages.routes.ts';
import { AppError } from './http/app-error.ts';
import { createCallProvider, type ProviderError } from './http/call-provider.ts';
import { speakVersion } from './http/api-version.ts';
import { warnOfUnknownProxy } from './http/forwarded-warning.ts';
import { giveWay } from './http/give-way.ts';
import { handleError } from './http/handle-error.ts';
import { noStore, securityHeaders } from './http/headers.ts';
import { healthRoutes } from './http/health.routes.ts';
import { interstitialRoutes } from './http/interstitial.ts';
import { createRateLimiter } from './http/rate-limit.ts';
import { createMailQueue, type MailQueue } from './features/mail/mail-queue.ts';
import { assignRequestId } from './http/request-id.ts';
import { logRequests } from './http/request-log.ts';
import { measureRequests } from './http/request-metrics.ts';
import { BOOT_GUARD } from './html/boot-guard.ts';
import { LAY_OUT_PART } from './html/lay-out-in-parts.ts';
import { openapiRoutes } from './openapi/openapi.routes.ts';

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
