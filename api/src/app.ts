import type { AdvertiserId } from '@app/contracts/key-system';
import express, { type Express, type Router } from 'express';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from './db/schema.ts';
import { createAdvertisersRepository } from './features/advertisers/advertisers.repository.ts';
import { createAdvertisersService } from './features/advertisers/advertisers.service.ts';
import type { AdvertisersSettings } from './features/advertisers/advertisers-settings.ts';
import { createSandbox } from './features/advertisers/sandbox/sandbox.ts';
import { createAltcha } from './features/captcha/altcha.ts';
import { createCaptchaRepository } from './features/captcha/captcha.repository.ts';
import { captchaRoutes } from './features/captcha/captcha.routes.ts';
import { createCaptchaService } from './features/captcha/captcha.service.ts';
import type { RecaptchaAccount } from './features/captcha/recaptcha-account.ts';
import { createRecaptcha } from './features/captcha/recaptcha.ts';
import { createContentFiles } from './features/content/content-files.ts';
import { contentRoutes } from './features/content/content.routes.ts';
import { createPseudonyms } from './features/devices/pseudonyms.ts';
import { createPepperCheckRepository } from './features/devices/pepper-check.repository.ts';
import { bindPepper } from './features/devices/pepper-check.ts';
import { createReadClientIdentity } from './features/devices/client-identity.ts';
import { createEnsureVisitorCookie } from './features/devices/ensure-visitor-cookie.ts';
import { createVisitorCookie } from './features/devices/visitor-cookie.ts';
import { createDemoDownloads } from './features/downloads/demo-downloads.ts';
import type { DownloadsSettings } from './features/downloads/downloads-settings.ts';
import { downloadsRoutes } from './features/downloads/downloads.routes.ts';
import { createDownloadsService } from './features/downloads/downloads.service.ts';
import { createAttemptsRepository } from './features/key-system/attempts.repository.ts';
import { findCaptchaCostFactor } from './features/key-system/find-captcha-cost-factor.ts';
import { findProgress } from './features/key-system/find-progress.ts';
import type { KeySystem } from './features/key-system/key-system.ts';
import { keySystemRoutes } from './features/key-system/key-system.routes.ts';
import type { Limits } from './features/key-system/limits.ts';
import { createRunsRepository } from './features/key-system/runs.repository.ts';
import { createSnapshotsRepository } from './features/key-system/snapshots.repository.ts';
import { createKeySubjectCipher } from './features/key-system/key-subject-cipher.ts';
import { createWriteLater } from './features/key-system/write-later.ts';
import { createKeysRepository } from './features/keys/keys.repository.ts';
import { jwksRoutes, keysRoutes } from './features/keys/keys.routes.ts';
import { createKeysService } from './features/keys/keys.service.ts';
import type { SigningKey } from './features/keys/signing-key.ts';
import { createSigningKeysRepository } from './features/keys/signing-keys.repository.ts';
import { createSigningKeysService } from './features/keys/signing-keys.service.ts';
import { createLicencesRepository } from './features/licences/licences.repository.ts';
import { licencesRoutes } from './features/licences/licences.routes.ts';
import { createLicencesService } from './features/licences/licences.service.ts';
import { paymentsRoutes } from './features/payments/payments.routes.ts';
import { createPurchasesRepository } from './features/purchases/purchases.repository.ts';
import { purchasesRoutes } from './features/purchases/purchases.routes.ts';
import { createPurchasesService } from './features/purchases/purchases.service.ts';
import { createResellersRepository } from './features/resellers/resellers.repository.ts';
import { resellersRoutes } from './features/resellers/resellers.routes.ts';
import { createResellersService } from './features/resellers/resellers.service.ts';
import { giveBackChecks } from './features/sweeper/give-back-checks.ts';
import { AppError } from './http/app-error.ts';
import { createCallProvider, type CallProvider, type ProviderError } from './http/call-provider.ts';
import { speakVersion } from './http/api-version.ts';
import { warnOfUnknownProxy } from './http/forwarded-warning.ts';
import { handleError } from './http/handle-error.ts';
import { noStore, securityHeaders } from './http/headers.ts';
import { healthRoutes } from './http/health.routes.ts';
import { noticeRoutes } from './http/notice-page.ts';
import { createRateLimiter } from './http/rate-limit.ts';
import { assignRequestId } from './http/request-id.ts';
import { logRequests } from './http/request-log.ts';
import { openapiRoutes } from './openapi/openapi.routes.ts';

export interface AppDeps {
  db: Kysely<Database>;
  log: Logger;
  /** The name of this server, the same at each start, and no other one's on the same database. */
  instance: string;
  now: () => number;
  /** The site's own origin, as visitors know it. */
  baseUrl: () => string;
  trustProxy: number;
  pepper: string;
  signingKey: SigningKey;
  /** The key that is to sign next; apps get to know it beforehand. */
  nextSigningKey?: SigningKey | undefined;
  /** The id of a signing key that may sign without having been published. */
  emergencyKid?: string | undefined;
  /** Where this server reaches itself. */
  selfOrigin: () => string;
  /** Accounts with the advertisers, or the fake advertisers of a development machine. */
  advertisers: AdvertisersSettings | 'sandbox';
  /** Whether demo purchases and sample resellers stand in an empty site. */
  demoData: boolean;
  /** The folder of the texts that change without a deploy. */
  contentDir: string;
  /** Where pages fetch those texts, and where they turn to when they get none, when it is another site. */
  contentUrls?: readonly (string | undefined)[];
  /** Where pages hear of what was built anew, while somebody edits them. */
  updatesUrl?: string | undefined;
  /** Where the downloads lead, or the demo files of a development machine. */
  downloads: DownloadsSettings | 'demo';
  isStopping: () => boolean;
  /** How much can still be written to the disk of the data folder, in bytes. */
  freeBytes: () => Promise<number>;
  /** Pages, releases and whatever else is served beside the API, in this order. */
  routers: readonly Router[];
  /** Every number that the key system lives by. */
  limits: Limits;
  /** The account with reCAPTCHA, which then takes the place of ALTCHA. */
  recaptcha?: RecaptchaAccount | undefined;
  captchaCost?: number | undefined;
  minDwellMs?: number | undefined;
  callProvider?: CallProvider | undefined;
}

/** The one place that knows how the parts fit. It opens no port and reads no environment. */
export async function createApp(deps: AppDeps): Promise<Express> {
  const { db, log, now, baseUrl, pepper, signingKey, limits, callProvider: call = createCallProvider() } = deps;
  const warn = (error: ProviderError) => log.warn({ reason: error.message }, 'provider unavailable');

  await bindPepper(createPepperCheckRepository(db), pepper);
  const pseudonyms = createPseudonyms(pepper);
  await giveBackChecks({ db, instance: deps.instance, limits, at: now() });

  const advertiserRows = createAdvertisersRepository(db);
  await advertiserRows.forgetFailing();
  const noteState = (advertiser: AdvertiserId, state: 'open' | 'closed') => {
    log.warn({ advertiser, state }, state === 'open' ? 'advertiser circuit open' : 'advertiser circuit closed');
    advertiserRows
      .noteFailing(advertiser, state === 'open' ? now() : null)
      .catch((error: unknown) => log.error({ err: error }, 'health not noted'));
  };

  const { settings, router: sandbox } = openAdvertisers(
    deps,
    async (id) => (await advertisers.getTerms(id)).minDwellMs,
  );
  const advertisers = createAdvertisersService({
    advertisers: advertiserRows,
    settings,
    now,
    warn,
    noteState,
    minDwellMs: deps.minDwellMs,
    call,
    limits,
  });

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
    writeLater: createWriteLater({
      now,
      isStopping: deps.isStopping,
      warn: (error) => log.error({ err: error }, 'verdict not written'),
    }),
    postbackSecret: () => settings().lootlabs.postbackSecret,
    baseUrl,
    now,
  };

  const purchases = createPurchasesService({ purchases: createPurchasesRepository(db), now });
  await purchases.refreshDemo(deps.demoData);
  const resellers = createResellersService({ resellers: createResellersRepository(db), now });
  if (deps.demoData) await resellers.seedSamples();
  const licences = createLicencesService({ licences: createLicencesRepository(db), pseudonyms, now });
  const { settings: downloadsSettings, router: demoFiles } = openDownloads(deps);
  const limiter = createRateLimiter({ now, trustedHops: deps.trustProxy });
  const ownHost = () => new URL(baseUrl()).host;

  const app = express().disable('x-powered-by').set('trust proxy', deps.trustProxy);
  app.use(warnOfUnknownProxy({ trustedHops: deps.trustProxy, log, now }));
  app.use(assignRequestId(), logRequests(log));
  app.use(
    securityHeaders({
      baseUrl,
      contentUrls: deps.contentUrls,
      recaptchaOrigin: deps.recaptcha?.origin,
      updatesUrl: deps.updatesUrl,
    }),
  );
  app.use('/readyz', limiter.byAddress({ name: 'readiness', max: limits.perAddress.readiness }));
  app.use(healthRoutes({ db, isStopping: deps.isStopping, freeBytes: deps.freeBytes }), noticeRoutes());

  app.use('/api', noStore);
  app.use(['/api', '/.well-known/jwks.json', '/openapi.json'], speakVersion);
  app.use(
    '/api',
    captchaRoutes({
      captcha,
      costFactorOf: (by) => findCaptchaCostFactor(keySystem, by),
      readIdentity,
      ensureVisitorCookie,
      limits,
      limiter,
      warn,
    }),
  );
  app.use('/api', keySystemRoutes({ keySystem, ensureVisitorCookie, readIdentity, ownHost, limiter }));
  app.use(
    '/api',
    keysRoutes({
      keys,
      findProgress: (appId, visitor, by) => findProgress(keySystem, appId, visitor, by),
      readIdentity,
      limits,
      limiter,
      now,
    }),
  );
  app.use(
    '/api',
    limiter.byAddress({ name: 'site', max: limits.perAddress.reads }),
    purchasesRoutes(purchases),
    resellersRoutes(resellers),
  );
  app.use('/api', licencesRoutes({ licences, limits, limiter }), paymentsRoutes({ ownHost, limits, limiter }));
  app.use(jwksRoutes(keys), openapiRoutes(baseUrl));
  app.use(
    contentRoutes(createContentFiles(deps.contentDir)),
    downloadsRoutes(createDownloadsService(downloadsSettings)),
  );

  if (sandbox) app.use(sandbox);
  if (demoFiles) app.use(demoFiles);
  for (const router of deps.routers) app.use(router);

  app.use((req) => {
    throw new AppError('route.not_found', `Nothing answers ${req.method} here.`);
  });
  app.use(handleError((error, requestId) => log.error({ err: error, requestId }, 'request failed'), now));
  return app;
}

function openAdvertisers(
  { advertisers, baseUrl, selfOrigin, now }: AppDeps,
  countdownMs: (id: AdvertiserId) => Promise<number>,
): { settings: () => AdvertisersSettings; router?: Router } {
  if (advertisers !== 'sandbox') return { settings: () => advertisers };

  return createSandbox({ baseUrl, selfOrigin, now, countdownMs });
}

function openDownloads({ downloads, baseUrl }: AppDeps): { settings: () => DownloadsSettings; router?: Router } {
  return downloads === 'demo' ? createDemoDownloads(baseUrl) : { settings: () => downloads };
}
