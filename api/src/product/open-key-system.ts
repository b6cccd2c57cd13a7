import { SignerUnavailable, type NamedKey, type Signer } from '#api/foundation/crypto/signing-key.ts';
import { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import { createCallProvider, type CallProvider, type ProviderError } from '#api/foundation/http/call-provider.ts';
import { shedLoad, type ServerLoad } from '#api/foundation/http/shed-load.ts';
import type { Module, Site } from '#api/foundation/module.ts';
import { openAdvertising } from './advertisers/open-advertising.ts';
import { createAppsRepository, requireApp } from './apps/apps.repository.ts';
import { createAltcha } from './captcha/altcha.ts';
import { captchaRoutes } from './captcha/captcha.routes.ts';
import { createCaptchaService } from './captcha/captcha.service.ts';
import { createRecaptcha } from './captcha/recaptcha.ts';
import { parseHwid } from './devices/device.ts';
import { keySystemRoutes } from './key-system/key-system.routes.ts';
import type { KeySystem } from './key-system/key-system.ts';
import { createAdmissionQueue } from './key-system/start/admission-queue.ts';
import { findCaptchaCostFactor } from './key-system/start/open-run.ts';
import { findProgress, readState } from './key-system/state/read-state.ts';
import { createWaitForChange } from './devices/wait-for-change.ts';
import { runFormsRoutes } from './key-system/start/run-forms.routes.ts';
import { createKeySubjectCipher } from './key-system/ticket.ts';
import { describeKeyEvents } from './keys/describe-key-events.ts';
import { createFindKey, jwksRoutes, keysRoutes } from './keys/keys.routes.ts';
import { createKeysService } from './keys/keys.service.ts';
import { reminderRoutes } from './keys/reminder.routes.ts';
import { createSigningKeysService } from './keys/signing-keys.service.ts';
import { issuePlanKey } from './licences/issue-plan-key.ts';
import type { ProductSettings } from './product-settings.ts';
import { createCounting } from './stats/count-runs.ts';
import { statsRoutes } from './stats/stats.routes.ts';
import { createUptimeRecord, RECORD_INTERVAL_MS } from './status/record-uptime.ts';
import { statusRoutes } from './status/status.routes.ts';

const COUNTING_INTERVAL_MS = 60_000;

export interface KeySystemParts {
  signingKey: Signer;
  /** The key that will sign next. It is published beforehand, so that apps know it in time. */
  nextSigningKey?: NamedKey | undefined;
  /** The `kid` of a signing key that may sign at once, although it was not published before. */
  emergencyKid?: string | undefined;
  load: ServerLoad;
  callProvider?: CallProvider | undefined;
}

/** Opens what visitors earn keys with: captchas, runs, advertisers, keys, the figures of apps, and how the site is doing. */
export async function openKeySystem(
  site: Site,
  settings: ProductSettings,
  { signingKey, nextSigningKey, emergencyKid, load, callProvider: call = createCallProvider() }: KeySystemParts,
): Promise<Module & { keySystem: KeySystem }> {
  const { db, log, now, baseUrl, pepper, instance, pseudonyms, readIdentity, limiter } = site;
  const { limits, recaptcha } = settings;
  const warn = (error: ProviderError) => log.warn({ reason: error.message }, 'provider unavailable');
  const ownOrigin = () => new URL(baseUrl()).origin;

  const { advertisers, accounts, sandbox } = await openAdvertising(site, settings, { call, warn });
  const provider = recaptcha
    ? createRecaptcha({ account: recaptcha, call, now })
    : createAltcha({ pepper, now, cost: settings.captchaCost, rounds: settings.captchaRounds });
  const captcha = createCaptchaService({ db, provider, pseudonyms, passMs: limits.captchaPassMs, now });
  const keys = createKeysService({ db, signingKey, pseudonyms, issuer: baseUrl, now });
  await createSigningKeysService({ db, now }).open({ active: signingKey, next: nextSigningKey, emergencyKid });
  const keySystem: KeySystem = {
    db,
    instance,
    limits,
    advertisers,
    keys,
    pseudonyms,
    subjectCipher: createKeySubjectCipher(pepper),
    retryQueue: {
      add: ({ key, attemptId, write, until, reason }) =>
        site.background.add({
          key,
          run: write,
          onFailure: (error) => log.error({ attempt: attemptId, err: error }, 'verdict not written'),
          retry: { error: reason, isTransient: isOutage, until },
        }),
    },
    postbackSecret: () => accounts().lootlabs.postbackSecret,
    isOverloaded: load.isOverloaded,
    baseUrl,
    now,
  };
  const admissionQueue = createAdmissionQueue(now);
  const waitForChange = createWaitForChange({ ...site, limits, load });
  const findKey = createFindKey({
    keys,
    findPlanKey: (appId, hwid) => issuePlanKey({ db, keys, pseudonyms, now }, appId, hwid),
    findProgress: (appId, visitor, by) => findProgress(keySystem, appId, visitor, by),
    // No app waits for it.
    onFirstFetch: (jti) =>
      site.background.add({
        key: `fetch ${jti}`,
        run: () => keys.recordFetch(jti),
        onFailure: (error) => log.warn({ err: error }, 'fetch of a key not recorded'),
      }),
  });
  const limitKeys = limiter.byDevice(
    { name: 'key', max: limits.keysPerMinute },
    (req) => parseHwid(req.query['hwid']),
    limits.perAddress.reads,
  );

  return {
    routes: {
      api: [
        captchaRoutes({
          ...site,
          captcha,
          costFactorOf: (by) => findCaptchaCostFactor(keySystem, by),
          limits,
          // A captcha is solved to begin a run, so it waits as runs do.
          shedLoad: shedLoad(
            () => load.isOverloaded() || load.isCrowded(),
            (req) => admissionQueue.join(readIdentity(req).networks[0]),
          ),
          warn,
        }),
        keySystemRoutes({
          ...site,
          keySystem,
          admissionQueue,
          // What can be asked for again waits first, so that runs that have begun go on.
          shedStates: shedLoad(load.isCrowded),
          waitForChange,
          ownOrigin,
          warnAboutPostback: (fields) => log.warn({ fields }, 'postback not readable'),
        }),
        keysRoutes({
          ...site,
          requireApp: (app) => requireApp(db, app),
          keys,
          findKey,
          waitForChange,
          limitKeys,
          limits,
        }),
        reminderRoutes({ ...site, maxPerMinute: limits.perAddress.reads }),
        statsRoutes(site),
        statusRoutes({ ...site, advertisers, maxPerMinute: limits.perAddress.reads }),
      ],
      site: [
        runFormsRoutes({
          ...site,
          findKey,
          readState: (app, visitor, by) => readState(keySystem, app, visitor, by),
          findScheme: async (app) => (await createAppsRepository(db).find(app))?.scheme ?? settings.launchUrl,
          limitKeys,
          ownOrigin,
        }),
        jwksRoutes(keys),
        ...(sandbox ? [sandbox] : []),
      ],
    },
    jobs: [
      { run: createCounting({ db, log, now }), intervalMs: COUNTING_INTERVAL_MS },
      { run: createUptimeRecord({ db, log, now }), intervalMs: RECORD_INTERVAL_MS },
    ],
    webhooks: describeKeyEvents(db),
    keySystem,
  };
}

function isOutage(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || error instanceof SignerUnavailable;
}
