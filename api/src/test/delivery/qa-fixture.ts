import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Release } from '@app/contracts/release';
import { type Resolution, RESOLUTION_ELEMENT_ID, resolutionSchema } from '@app/contracts/resolution';
import express from 'express';
import * as v from 'valibot';
import { createQa } from '#api/delivery/qa/qa.ts';
import { answerPinLinks } from '#api/delivery/qa/pin-links.ts';
import { qaRoutes } from '#api/delivery/qa/qa.routes.ts';
import { releasesRoutes } from '#api/delivery/serving/releases.routes.ts';
import type { Snapshot } from '#api/delivery/registry/registry.ts';
import { createReleaseSelector, type Pins } from '#api/delivery/serving/release-selection.ts';
import { pagesRoutes } from '#api/delivery/pages/pages.routes.ts';
import { handleError } from '#api/foundation/http/handle-error.ts';
import { noStore, securityHeaders } from '#api/foundation/http/headers.ts';
import { createRateLimiter } from '#api/foundation/http/rate-limit.ts';
import { listen } from '#api/test/listen.ts';
import { makeFolder, writeFiles } from '#api/test/make-folder.ts';
import { navigate } from '#api/test/navigate.ts';
import { buildRelease, buildRoute, buildSnapshot } from './build-release.ts';
import { SITE_SETTINGS } from './site-settings.ts';

export const ACCESS_KEY = 'k3Jd90sLq81mZx7Vb2Tn6Yw4Rc5Pf0Hg';

const BASE_URL = 'https://site.example';
const CODE = 'export const answer = 42;';

/** The releases of a small site: an older one of the key system, which only a pin can name, and a canary. */
const LISTED_FILE = { sha384: 'entry', bytes: CODE.length };
const FILES = { 'remoteEntry.aaaaaaaa.js': LISTED_FILE, 'remoteEntry.aaaaaaaa.js.map': LISTED_FILE };
const KEY = buildRelease('key-system', { routes: [buildRoute('/key-system-1')], version: '1.5.0', files: FILES });
const TOOLS = buildRelease('tools', { routes: [buildRoute('/new')], files: FILES });
const RELEASES: readonly Release[] = [
  buildRelease('shell'),
  { ...buildRelease('shell', { version: '0.2.0' }), contract: { version: '2.0' } },
  KEY,
  { ...KEY, version: '1.4.0' },
  { ...KEY, version: '1.6.0', contract: { version: '1.1' } },
  TOOLS,
  { ...TOOLS, version: '0.2.0' },
];

/** Starts a small site with QA, and a browser that keeps its cookies. The clock moves only when the test moves it. */
export async function createQaFixture(
  options: { accessKey?: string | undefined; isOpen?: boolean; hasCanary?: boolean } = {},
) {
  const { accessKey, isOpen = false, hasCanary = true } = { accessKey: ACCESS_KEY, ...options };
  const folder = makeFolder();
  for (const release of RELEASES) keepFiles(folder, release);
  const noted: Pins[] = [];
  let time = 1_800_000_000_000;
  const snapshot: Snapshot = buildSnapshot(
    [find('shell', '0.1.0'), KEY, TOOLS],
    hasCanary ? { tools: { canary: { release: find('tools', '0.2.0'), share: 1000 } } } : {},
  );
  const registry = {
    snapshot: () => snapshot,
    find: (unit: string, version: string) =>
      Promise.resolve(RELEASES.find((release) => release.unit === unit && release.version === version)),
    refresh: () => Promise.resolve(),
  };

  async function open(key = accessKey) {
    const qa = createQa({
      pepper: 'a pepper of the tests',
      accessKey: key,
      isOpen,
      registry,
      notePins: (pins) => Promise.resolve(void noted.push(pins)),
      now: () => time,
    });
    const select = qa.explain(
      createReleaseSelector({
        registry,
        pseudonyms: { hwid: (hwid) => hwid },
        visitorCookie: { read: () => undefined },
        // Outside the share of the canary.
        ensureVisitorCookie: () => 'visitor-1',
        readPins: (req) => qa.readPins(req),
        now: () => time,
      }),
    );
    const limiter = createRateLimiter({ now: () => time, trustedHops: 0 });
    return listen(
      express()
        .use(securityHeaders({ baseUrl: () => BASE_URL }))
        .use('/api', noStore)
        .use(
          answerPinLinks(qa),
          qaRoutes({ qa, limiter, baseUrl: () => BASE_URL, folder }),
          releasesRoutes(folder, registry),
          pagesRoutes({
            select,
            onSent: (res, selection) => qa.endShownNotices(res, selection),
            settings: SITE_SETTINGS,
            baseUrl: () => BASE_URL,
          }),
          handleError(() => undefined),
        ),
    );
  }

  let origin = await open();
  return {
    pass: (ms: number) => void (time += ms),
    now: () => time,
    /** The noted pins, whose releases are kept. */
    noted,
    /** Restarts the site with another access key. */
    async changeKey(key: string) {
      origin = await open(key);
    },
    browser: () => createBrowser(() => origin),
  };
}

/** A browser: it sends the cookies that it was given. */
function createBrowser(origin: () => string) {
  const jar = new Map<string, string>();

  async function send(
    path: string,
    { method = 'GET', headers = {}, body, signal }: SentRequest = {},
  ): Promise<Response> {
    const further = headers['cookie'] ?? '';
    const cookie = [...[...jar].map((pair) => pair.join('=')), ...(further ? [further] : [])].join('; ');
    const answer = await fetch(new URL(path, origin()), {
      method,
      redirect: 'manual',
      ...(signal && { signal }),
      headers: {
        ...headers,
        ...(cookie && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const header of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (header.split(';')[0] ?? '').split('=');
      if (/max-age=0/i.test(header)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }

  return {
    jar,
    send,
    /** Sends a path exactly as it is written, and the cookies of this browser. */
    sendRaw: (path: string, headers: Record<string, string> = {}) =>
      navigate(
        new URL(origin()),
        { cookie: [...jar].map((pair) => pair.join('=')).join('; '), ...headers },
        'GET',
        path,
      ),
    /** Sends a text as a form of any site can. */
    sendEncodedVariant: (path: string, type: string, body: string) =>
      fetch(new URL(path, origin()), { method: 'POST', headers: { 'content-type': type }, body }),
    /** Opens the access with a key. */
    enter: (key = ACCESS_KEY) => send('/api/qa/access', { method: 'POST', body: { key } }),
    /** Opens a page and follows redirects; returns where it ended and its resolution. */
    async open(path: string): Promise<{ path: string; resolution: Resolution; headers: Headers }> {
      const answer = await send(path);
      const location = answer.headers.get('location');
      if (location !== null) return this.open(location);

      const html = await answer.text();
      const json = new RegExp(`<script id="${RESOLUTION_ELEMENT_ID}"[^>]*>(.*?)</script>`).exec(html)?.[1] ?? '';
      return { path, resolution: v.parse(resolutionSchema, JSON.parse(json)), headers: answer.headers };
    },
  };
}

interface SentRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

function find(unit: string, version: string): Release {
  const found = RELEASES.find((release) => release.unit === unit && release.version === version);
  if (!found) throw new Error(`${unit}@${version} is no release of this site`);
  return found;
}

/** Keeps files of the listed sizes. */
function keepFiles(folder: string, release: Release): void {
  const path = join(folder, release.unit, release.version);
  writeFiles(
    path,
    Object.keys(release.files).map((name) => [name, CODE]),
  );
  writeFileSync(join(path, 'release.json'), JSON.stringify(release));
}

/** What somebody without the secret could make of a signed cookie, in which one text is to be another. */
export function forge(sealed: string, from: string, to: string): string[] {
  const [text = '', signature = ''] = sealed.split('.');
  const other = Buffer.from(Buffer.from(text, 'base64url').toString().replace(from, to)).toString('base64url');
  return [`${other}.${signature}`, text, `${text}.`, `${text}.${signature}x`];
}
