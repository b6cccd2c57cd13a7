import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { SiteSettings } from '@app/contracts/site-settings';
import { createDelivery, type DeliveryOptions, type OpenedReleases } from '#api/delivery/open-delivery.ts';
import { createAuditTrust } from '#api/foundation/audit/audit-trust.ts';
import { createSite, type Site } from '#api/foundation/module.ts';
import { bindPepper } from '#api/foundation/visitors/pepper-check.ts';
import { openProduct, type ProductParts } from '#api/product/open-product.ts';
import type { ProductSettings } from '#api/product/product-settings.ts';
import { createApp } from '#api/server/app.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { openRegistry } from '#api/delivery/registry/registry.ts';
import type { ReleaseStore } from '#api/delivery/store/release-store.ts';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { createLog } from '#api/foundation/telemetry/log.ts';
import { makeFolder } from './make-folder.ts';
import { navigate } from './navigate.ts';
import { openEmptySqlite } from '#api/test/databases/open-empty-sqlite.ts';
import { requireDocumented } from './require-documented.ts';

export const TEST_PEPPER = 'a pepper that only the tests have, long enough';

export const OWN_NAVIGATION = {
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};

/** For tests without files of releases. */
const NO_STORE: ReleaseStore = {
  folder: '/nowhere',
  renderedFolder: '/nowhere/.rendered',
  stage: noStore,
  settle: noStore,
  keep: noStore,
  discard: noStore,
  examine: noStore,
  remove: noStore,
  removeLeftovers: noStore,
  listKept: noStore,
};

function noStore(): never {
  throw new Error('This test has no store of releases.');
}

export type TestApi = Awaited<ReturnType<typeof createTestApi>>;

interface Options extends Partial<Omit<Site, 'db'>>, Partial<ProductSettings>, Partial<ProductParts> {
  db?: Db;
  startAt?: number;
  releases?: OpenedReleases;
  /** What sends the files of releases and of the site. */
  files?: DeliveryOptions['files'];
  /** Without it no page is served. */
  pages?: SiteSettings;
  qa?: DeliveryOptions['qa'];
  freeBytes?: () => Promise<number>;
  clockProblem?: () => string | undefined;
}

/** Starts the whole API on its own port, until the test ends. The clock moves only when the test moves it. */
export async function createTestApi(options: Options = {}) {
  const { db = await openEmptyDb(), startAt = Date.now() } = options;
  let time = startAt;
  const logged: string[] = [];
  const stopping = new AbortController();

  const server = createServer();
  const origin = () => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const site = createSite({
    log: createLog({ write: (line: string) => void logged.push(line) }),
    instance: 'test server',
    now: () => time,
    baseUrl: origin,
    selfOrigin: origin,
    trustedHops: 0,
    pepper: TEST_PEPPER,
    stopping: stopping.signal,
    ...options,
    db,
  });
  await bindPepper(db, site.pepper);
  const { limits = DEFAULT_LIMITS } = options;
  const delivery = createDelivery(site, options.releases ?? { registry: await openRegistry(db), store: NO_STORE }, {
    pages: options.pages,
    qa: options.qa ?? { accessKey: undefined, isOpen: false },
    loadReportsPerMinute: limits.loadReportsPerMinute,
    files: options.files ?? [],
  });
  const settings = {
    advertisers: 'sandbox',
    stripe: 'sandbox',
    demoData: false,
    launchUrl: 'app://',
    contentDir: makeFolder(),
    downloads: 'demo',
    resetPrivacy: 'spec',
    limits,
    captchaCost: 1,
    captchaRounds: 1,
  } as const;
  const product = await openProduct(
    site,
    { ...settings, ...options },
    {
      signingKey: readSigningKey(generateSigningKey('test-key')),
      auditTrust: createAuditTrust(makeFolder()),
      sendMail: () => Promise.reject(new Error('This test sends no mail.')),
      load: { isOverloaded: () => false, isCrowded: () => false },
      ...options,
    },
  );
  const { keySystem, mailQueue } = product;
  const modules = [delivery, product];
  const app = createApp(site, modules, {
    readinessPerMinute: limits.perAddress.readiness,
    freeBytes: () => Promise.resolve(Infinity),
    unserved: delivery.unserved,
    clockProblem: () => undefined,
    ...options,
  });
  server.on('request', app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });

  const send = async (path: string, init: RequestInit) => {
    const url = new URL(path, origin());
    const answer = await fetch(url, init);
    await requireDocumented(init.method ?? 'GET', url.pathname, answer);
    return answer;
  };
  const sendJson = (path: string, method: string, body: unknown, headers: Record<string, string> = {}) =>
    send(path, { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });

  return {
    app,
    site,
    modules,
    keySystem,
    beginToStop: () => stopping.abort(),
    mailQueue,
    followRegistry: delivery.followRegistry,
    db,
    logged,
    origin: origin(),
    now: () => time,
    pass: (ms: number) => {
      time += ms;
    },
    /** The mails that wait in the queue, the oldest first. */
    async mails() {
      const rows = await db
        .selectFrom('mail')
        .selectAll()
        .where('sealedMessage', 'is not', null)
        .orderBy('id')
        .execute();
      return rows.map((row) => mailQueue.open(row));
    },
    /** Requests a path or a whole address, without following redirects. */
    ask: (path: string, init: RequestInit = {}) => send(path, { redirect: 'manual', ...init }),
    /** Follows a link of the site like a visitor's browser, without following redirects. */
    visit: (path: string, headers: Record<string, string> = OWN_NAVIGATION, method = 'GET', body = '') =>
      navigate(new URL(path, origin()), headers, method, undefined, body),
    post: (path: string, body: unknown, headers: Record<string, string> = {}) => sendJson(path, 'POST', body, headers),
    sendJson,
  };
}

export async function openEmptyDb(): Promise<Db> {
  const db = await openEmptySqlite();
  onTestFinished(() => db.destroy());
  return db;
}
