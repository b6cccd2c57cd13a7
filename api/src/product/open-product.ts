import type { AuditTrust } from '#api/foundation/audit/audit-trust.ts';
import type { Module, Site } from '#api/foundation/module.ts';
import { writeDefaultContent } from './content/content-files.ts';
import { contentRoutes } from './content/content.routes.ts';
import { createDemoDownloads } from './downloads/demo-downloads.ts';
import { downloadsRoutes } from './downloads/downloads.routes.ts';
import { creditConfirmed } from './key-system/sweep-runs.ts';
import type { KeySystem } from './key-system/key-system.ts';
import { fillMailboxes } from './licences/fill-mailboxes.ts';
import { remindOwners } from './licences/reminders.ts';
import type { MailQueue } from './mail/mail-queue.ts';
import type { SendMail } from './mail/mail-transport.ts';
import { type KeySystemParts, openKeySystem } from './open-key-system.ts';
import { openSales } from './open-sales.ts';
import { openapiRoutes } from './openapi/openapi.routes.ts';
import type { ProductSettings } from './product-settings.ts';
import { createCountsRepository } from './stats/counts.repository.ts';
import { releaseStaleClaims } from './sweeper/release-stale-claims.ts';
import { createSweep } from './sweeper/sweeper.ts';

const SWEEP_INTERVAL_MS = 60_000;

export interface ProductParts extends KeySystemParts {
  /** Stores the trusted keys and the anchors of the audit. */
  auditTrust: AuditTrust;
  sendMail: SendMail;
}

export interface Product extends Module {
  keySystem: KeySystem;
  mailQueue: MailQueue;
}

/** Opens everything about runs, keys, plans, payments and what else visitors come for. */
export async function openProduct(site: Site, settings: ProductSettings, parts: ProductParts): Promise<Product> {
  const { db, log, now, baseUrl, instance } = site;
  const { limits } = settings;

  if (settings.demoData) writeDefaultContent(settings.contentDir);
  await releaseStaleClaims({ db, instance, limits, at: now() });
  const runs = await openKeySystem(site, settings, parts);
  const sales = await openSales(site, settings, parts);
  const { keySystem } = runs;
  const { licences, mailQueue } = sales;
  const { downloads: given } = settings;
  const { settings: downloads, router: demoFiles } =
    given === 'demo' ? createDemoDownloads(baseUrl) : { settings: () => given, router: undefined };

  const sweep = createSweep({
    db,
    limits,
    creditConfirmed: (limit) => creditConfirmed(keySystem, limit),
    remindOwners: (limit) => remindOwners(licences, limit),
    fillMailboxes: (limit) => fillMailboxes(licences, limit),
    countedUntil: (what) => createCountsRepository(db).readUntil(...what),
    signingKey: () => parts.signingKey,
    auditTrust: parts.auditTrust,
    log,
    now,
  });

  return {
    routes: {
      api: [...(runs.routes.api ?? []), ...(sales.routes.api ?? [])],
      site: [
        ...(runs.routes.site ?? []),
        openapiRoutes(baseUrl, limits),
        contentRoutes(settings.contentDir),
        downloadsRoutes(downloads),
        ...(demoFiles ? [demoFiles] : []),
        ...(sales.routes.site ?? []),
      ],
    },
    policy: { contentUrls: settings.contentUrls, recaptchaOrigin: settings.recaptcha?.origin },
    jobs: [...sales.jobs, { run: sweep, intervalMs: SWEEP_INTERVAL_MS }, ...runs.jobs],
    webhooks: runs.webhooks,
    keySystem,
    mailQueue,
  };
}
