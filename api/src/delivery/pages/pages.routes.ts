import { listDeviceParams } from '@app/contracts/device-params';
import { APP_ID_PATTERN } from '@app/contracts/key-system';
import { LANGUAGE_NAME, LANGUAGES, ORIGINAL_LANGUAGE } from '@app/contracts/languages';
import { NOT_FOUND_HASH, PAGES } from '@app/contracts/pages';
import type { Release } from '@app/contracts/release';
import type { Unit } from '@app/contracts/unit';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import {
  chooseLanguage,
  findRoute,
  languageIn,
  QUERY_PATTERN,
  type ReleaseSelection,
  type SelectReleases,
} from '#api/delivery/serving/release-selection.ts';
import { RESERVED_PATHS } from '#api/delivery/registry/compatibility.ts';
import { allowOrigin, allowStyles, cacheShared, rankCodings } from '#api/foundation/http/headers.ts';
import { onlyRead } from '#api/foundation/http/only-methods.ts';
import { notePage } from '#api/foundation/http/observe-requests.ts';
import { createDocuments, type DocumentsDeps, isUncacheable } from './documents.ts';

const NO_STORE = 'no-store';

/** How long our proxy keeps a page that is the same for all. */
const SHARED_CACHE_TTL_S = 1;

/** How long a query may become that a redirect completes. nginx takes a longer head for the fault of a server. */
const MAX_ENTRIES = 4096;

/** The `#` of a link that a mail scanner, such as Safe Links of Outlook, wrote into the path; some encode twice. */
const ENCODED_HASH = /%(?:25)*23/;
const ENCODED_EQUALS = /%(?:25)*3d/gi;

interface Deps extends DocumentsDeps {
  select: SelectReleases;
  answerPinLinks?: RequestHandler | undefined;
  onSent?: ((res: Response, selection: ReleaseSelection, unit: Unit) => void) | undefined;
}

/** An encoded fragment leads to the page with it, an unknown page to the home page; an unknown file answers 404. */
export function pagesRoutes({ select, answerPinLinks, onSent, ...deps }: Deps): Router {
  const router = Router();
  const documents = createDocuments(deps);

  router.use((req, _res, next) => next(RESERVED_PATHS.test(canonicalPath(req.path)) ? 'router' : undefined));
  if (answerPinLinks) router.use(answerPinLinks);

  router.get(/.*/, async (req, res) => {
    const { path, fragment } = splitFragment(canonicalPath(req.path));
    const selection = await select(req, res);
    // The query is taken from the raw URL, before whose path any client can write an origin.
    const search = QUERY_PATTERN.exec(req.url)?.[0] ?? '';
    const found = findRoute(selection, path);
    if (!found) return res.redirect(302, homeUrl(search));
    // The redirects use the route's own path, so they never lead to another site.
    if (fragment) return res.set('cache-control', NO_STORE).redirect(302, found.route.path + search + fragment);
    if (found.route.path !== req.path) return res.redirect(308, found.route.path + search);
    const kept = findReferrerRedirect(req, found.route.path, search);
    if (kept) return res.set('cache-control', NO_STORE).redirect(302, found.route.path + kept);

    // An unreleased version is for people who were given it.
    if (isUncacheable(selection)) res.set('x-robots-tag', 'noindex');
    notePage(res, found.route.path);
    onSent?.(res, selection, found.unit);
    const language = chooseLanguage(req, selection, search);
    setLanguageCookie(res, search, language);
    const document = await documents.get({ selection, ...found, pathAndQuery: found.route.path + search, language });
    const [coding = 'identity'] = rankCodings(req.get('accept-encoding'));
    const caching = cacheControlOf(found.route, selection, res);
    res.vary('Accept-Encoding, Accept-Language').type('html').set('cache-control', caching);
    if (caching === 'no-cache' && selection.isForAll) cacheShared(res, SHARED_CACHE_TTL_S);
    if (coding !== 'identity') res.set('content-encoding', coding);
    allowStyles(res, document.styleSources);
    const local = selection.qa?.publicState.local;
    if (local) allowOrigin(res, local.origin);
    preloadFirstCall(res, found.route.firstCall, search);
    const content = await document.encode(coding);
    // A page that no cache stores is never revalidated.
    if (caching !== NO_STORE) res.set('etag', `"${document.tag}-${coding}"`);
    if (caching !== NO_STORE && req.fresh) res.status(304).end();
    else res.set('content-length', String(content.length)).end(content);
  });

  // Some pages have forms, which are answered after all pages.
  const refuse = rejectPageWrites(select);
  router.all(/.*/, (req, res, next) => (req.method === 'POST' ? next() : refuse(req, res, next)));

  return router;
}

/** Refuses other methods than GET and HEAD for pages. It also comes last of all, for forms that no page has. */
export function rejectPageWrites(select: SelectReleases): RequestHandler {
  return async (req, res, next) => {
    const isPage =
      !RESERVED_PATHS.test(canonicalPath(req.path)) && findRoute(await select(req, res), canonicalPath(req.path));
    return isPage ? onlyRead(req, res, next) : next();
  };
}

/**
 * The query with what a link of ours had to leave out. Documents are the same for every device, so without JavaScript a
 * link keeps no device, and the choice of another language none of the page's own query.
 * @returns undefined when nothing is missing
 */
function findReferrerRedirect({ headers }: Request, path: string, search: string): string | undefined {
  const { referer = '', host } = headers;
  if (!referer.includes('?') || !URL.canParse(referer)) return undefined;

  const from = new URL(referer);
  const query = new URLSearchParams(search);
  // What belongs to one device is not put beside another.
  if (query.has('hwid')) return undefined;
  const stays = from.pathname === path && query.has(LANGUAGE_NAME);
  const missing = [...(stays ? from.searchParams : listDeviceParams(from.searchParams))].filter(
    ([name]) => !query.has(name),
  );
  if (from.host !== host || missing.length === 0) return undefined;

  for (const [name, value] of missing) query.append(name, value);
  const kept = `?${query.toString()}`;
  return kept.length > MAX_ENTRIES ? undefined : kept;
}

/**
 * Preloads the page's first call while the page's code is on its way. Its address has the device in it, so it is in a
 * header of this answer and not in the document. With `crossorigin` the request is the same as that of `callApi`;
 * otherwise the browser would make it twice.
 */
function preloadFirstCall(res: Response, call: string | undefined, search: string): void {
  const address = call && fillFirstCall(call, new URLSearchParams(search));
  if (address) res.append('link', `<${address}>; rel=preload; as=fetch; crossorigin=anonymous`);
}

/**
 * Pages are revalidated each time. A page that search engines do not list is for one visitor, so no cache stores it; nor
 * one that QA has changed in this browser. But the page of a run has nothing of its visitor besides its address: the
 * visitor's own browser keeps it, and so its back/forward cache does, which takes no page with “no-store” in many
 * browsers. A new cookie is for one browser, and QA access often is, so shared caches do not store the page with it.
 */
function cacheControlOf(
  { canonical, firstCall }: Release['routes'][number],
  selection: ReleaseSelection,
  res: Response,
): string {
  if (isUncacheable(selection) || (canonical === null && firstCall === undefined)) return NO_STORE;
  const isOwn = canonical === null || res.hasHeader('set-cookie') || (selection.qa && !selection.isForAll);
  return isOwn ? 'private, no-cache' : 'no-cache';
}

const LANGUAGE_COOKIE_TTL_MS = 365 * 24 * 60 * 60 * 1000;

/** Keeps the language that a visitor has chosen, so that a run does not change its language half-way. */
function setLanguageCookie(res: Response, search: string, language = ORIGINAL_LANGUAGE): void {
  if (languageIn(search) !== language) return;
  res.cookie(LANGUAGE_NAME, language, {
    maxAge: LANGUAGE_COOKIE_TTL_MS,
    httpOnly: true,
    sameSite: 'lax',
    secure: true,
  });
}

/** The canonical path of a page: without doubled or trailing slashes, and without `index.html`. */
function canonicalPath(path: string): string {
  return path
    .replace(/\/+/g, '/')
    .replace(/(?<=.)\/$/, '')
    .replace(/^\/index\.html$/, PAGES.home);
}

function splitFragment(whole: string): { path: string; fragment: string } {
  const hash = ENCODED_HASH.exec(whole);
  if (!hash) return { path: whole, fragment: '' };

  const fragment = whole.slice(hash.index + hash[0].length).replace(ENCODED_EQUALS, '=');
  return { path: canonicalPath(whole.slice(0, hash.index)), fragment: `#${fragment}` };
}

function homeUrl(search: string): string {
  const query = new URLSearchParams(search);
  const carried = new URLSearchParams(listDeviceParams(query));
  const language = query.get(LANGUAGE_NAME) ?? '';
  if (Object.hasOwn(LANGUAGES, language)) carried.set(LANGUAGE_NAME, language);
  return `${PAGES.home}${carried.size > 0 ? `?${carried.toString()}` : ''}${NOT_FOUND_HASH}`;
}

function parseAppParameters(query: URLSearchParams): [name: string, value: string][] {
  const [app = '', another] = query.getAll('app');
  return another === undefined && APP_ID_PATTERN.test(app) ? [['app', app]] : [];
}

const PLACEHOLDER_PATTERN = /^\{(\w+)(\??)\}$/;

/** A page's first call, as the page writes it; undefined when the page's address lacks what it needs. */
export function fillFirstCall(call: string, query: URLSearchParams): string | undefined {
  const [path = '', asked] = call.split(/\?(.*)/);
  const wellFormed = new Map([...listDeviceParams(query), ...parseAppParameters(query)]);
  const filled = new URLSearchParams();

  for (const [name, value] of new URLSearchParams(asked)) {
    const [, part, mayLack] = PLACEHOLDER_PATTERN.exec(value) ?? [];
    if (part === undefined) {
      filled.set(name, value);
      continue;
    }
    const found = query.get(part) ?? '';
    if (found === '' && mayLack) continue;
    if (found === '' || wellFormed.get(part) !== found) return undefined;
    filled.set(name, found);
  }
  return filled.size > 0 ? `${path}?${filled.toString()}` : path;
}
