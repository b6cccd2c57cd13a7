import { GRANT_PARAMETER, type KeptPins, MAX_PINS, PIN_PARAMETER } from '@app/contracts/qa';
import { pinChangeSchema } from '@app/contracts/qa-requests';
import { isPreview, type Release } from '@app/contracts/release';
import { SHELL, type Unit } from '@app/contracts/unit';
import type { Request, RequestHandler, Response } from 'express';
import * as v from 'valibot';
import { findIncompatibility } from '#api/delivery/registry/compatibility.ts';
import type { Registry } from '#api/delivery/registry/registry.ts';
import { findPinned, type Pins } from '#api/delivery/serving/release-selection.ts';
import { classifyNavigation } from '#api/foundation/http/fetch-metadata.ts';
import { formatWords, interstitialMessages, sendInterstitial } from '#api/foundation/http/interstitial.ts';
import { QA_TTL_MS, type Qa, type QaSigner } from './qa.ts';

/** Pins what the address asks for, and redirects to the same address without it; or the page says why not. */
export function answerPinLinks(qa: Qa): RequestHandler {
  const { signer, cookies, registry, now } = qa;

  const isThere = async (pins: Pins) => {
    const found = Object.entries(pins).map(([unit, pin]) => registry.find(unit, pin));
    return (await Promise.all(found)).every((release) => release !== undefined);
  };

  /** Whether this browser had a preview that is over, or that was removed for newer ones. */
  const hasLostPreview = async (req: Request) => {
    const session = qa.readPins(req);
    if (session?.by !== 'preview') return cookies.hasEndedPreview(req);
    return !(await isThere(session.pins).catch(() => true));
  };

  return async (req, res, next) => {
    const address = req.method === 'GET' ? parsePinAddress(req.url) : undefined;
    if (!address) {
      // Almost no browser has pins: its pages wait for nothing here.
      const isAsked = req.method === 'GET' && cookies.hasPins(req) && PAGE_PATTERN.test(req.path);
      return isAsked && (await hasLostPreview(req)) ? sendEndedPreview(res, req.url) : next();
    }

    const leave = (notice?: string) => {
      if (notice !== undefined) cookies.putNotice(res, notice);
      // Not by `res.redirect`, which would encode some of its characters again.
      res.status(303).set({ location: address.rest, 'cache-control': 'no-store' }).end();
    };

    const pins = parsePins(address.pins);
    if (pins && Object.keys(pins).length === 0) {
      cookies.endPins(res);
      return leave();
    }

    const granted = pins && address.grant !== undefined ? readGrant(signer, address.grant, pins) : undefined;
    const isForPreview = pins !== undefined && address.grant !== undefined && Object.values(pins).every(isPreview);
    if (isForPreview && !((granted ?? 0) > now() && (await isThere(pins)))) return sendEndedPreview(res, address.rest);
    if (!qa.hasAccess(req) && !(granted !== undefined && granted > now()))
      return leave(
        address.grant === undefined ? interstitialMessages(res).noQaAccess : interstitialMessages(res).shareEnded,
      );
    if (!pins) return leave('The address asks for pins that cannot be read. Nothing was pinned.');

    const problem = await findPinProblem(registry, pins);
    if (problem) return leave(`Nothing was pinned: ${problem}`);

    // Only the navigation of a user may pin: no picture, frame or prefetch, and no other site without the user's
    // consent.
    const judgement = req.headers['sec-fetch-site'] === undefined ? 'act' : classifyNavigation(req, '');
    if (judgement === 'refuse') return void res.status(403).end();
    if (judgement === 'ask') {
      const words = interstitialMessages(res);
      const question = formatWords(res, isForPreview ? words.askToPreview : words.askToPin, { pins: formatPins(pins) });
      const link = { href: req.originalUrl, label: question.label };
      return sendInterstitial(res.set('cache-control', 'no-store'), { ...question, link });
    }

    const session = cookies.readPins(req);
    if (isForPreview) {
      await qa.putPins(res, await addPreview(registry, session, pins, granted ?? 0));
      return leave();
    }
    const [until, by] = qa.hasAccess(req) ? ([now() + QA_TTL_MS, 'link'] as const) : ([granted ?? 0, 'share'] as const);
    const faults = session && session !== 'ended' && by === 'link' ? session.faults : {};
    await qa.putPins(res, { pins, faults, until, by });
    leave();
  };
}

/** Why pins cannot be kept: a version that was never published, or releases that do not fit in one page. */
export async function findPinProblem(
  registry: Pick<Registry, 'snapshot' | 'find'>,
  pins: Pins,
): Promise<string | undefined> {
  const pinned = new Map<Unit, Release>();
  for (const [unit, pin] of Object.entries(pins)) {
    const release = await findPinned(registry, unit, pin);
    if (!release) return `${unit}@${pin} is not there.`;
    pinned.set(unit, release);
  }

  const { units } = registry.snapshot();
  const served = (unit: Unit): Release[] => {
    const pin = pinned.get(unit);
    if (pin) return [pin];
    const { stable, canary } = units.get(unit) ?? {};
    return [stable, canary?.release].filter((release) => release !== undefined);
  };
  for (const shell of served(SHELL))
    for (const unit of new Set([...units.keys(), ...pinned.keys()])) {
      if (unit === SHELL || !(pinned.has(SHELL) || pinned.has(unit))) continue;
      for (const remote of served(unit)) {
        const incompatibility = findIncompatibility(shell, remote);
        if (incompatibility) return `${incompatibility}.`;
      }
    }
  return undefined;
}

/** Previews of other units that the browser has stay if all fit together. All end when the first of them ends. */
async function addPreview(
  registry: Registry,
  session: KeptPins | 'ended' | undefined,
  pins: Pins,
  until: number,
): Promise<KeptPins> {
  const alone = { pins, faults: {}, until, by: 'preview' } as const;
  if (typeof session !== 'object' || session.by !== 'preview') return alone;

  const others = Object.entries(session.pins).filter(([unit]) => !(unit in pins));
  const both = { ...Object.fromEntries(others), ...pins };
  if (others.length === 0 || Object.keys(both).length > MAX_PINS || (await findPinProblem(registry, both)))
    return alone;
  return { ...alone, pins: both, until: Math.min(until, session.until) };
}

/** Says that a preview is over, and leads out of it. Its browser would otherwise take the usual version for it. */
function sendEndedPreview(res: Response, page: string): void {
  const { label, ...words } = interstitialMessages(res).previewEnded;
  const [, query] = page.split(/\?(.*)/);
  // Without a path, which a visitor may write so that it leads to another site.
  const href = `?${query ? `${query}&` : ''}${PIN_PARAMETER}=none`;
  sendInterstitial(res.status(410).set('cache-control', 'no-store'), { ...words, link: { href, label } });
}

/** The path of a page: no other site, no file, and nothing that browsers read in different ways. */
const PAGE_PATTERN = /^\/[A-Za-z0-9/_-]*(index\.html)?$/;

export interface PinAddress {
  /** The same address without the pins. All other parameters are as they were, byte for byte. */
  rest: string;
  pins: string;
  grant: string | undefined;
}

/** Undefined when the address pins nothing, or is not that of a page of this site. */
function parsePinAddress(url: string): PinAddress | undefined {
  const [, path = '', query] = /^([^?#]*)\??([^#]*)/.exec(url) ?? [];
  // Two slashes at the start would lead to another site.
  const page = path.replace(/\/+/g, '/');
  if (!PAGE_PATTERN.test(page) || query === undefined) return undefined;

  const parts = query.split('&').map((text) => ({ text, ...readParameter(text) }));
  const pins = parts.find(({ name }) => name === PIN_PARAMETER)?.value;
  if (pins === undefined) return undefined;

  const kept = parts.filter(({ name }) => name !== PIN_PARAMETER && name !== GRANT_PARAMETER).map(({ text }) => text);
  return {
    rest: kept.length > 0 ? `${page}?${kept.join('&')}` : page,
    pins,
    grant: parts.find(({ name }) => name === GRANT_PARAMETER)?.value,
  };
}

/** The address of a page that is to be shared, without pins; undefined when it is no page of this site. */
export function parsePageAddress(url: string): string | undefined {
  return parsePinAddress(`${url}${url.includes('?') ? '&' : '?'}${PIN_PARAMETER}=`)?.rest;
}

/** Reads `key-system@1.4.0,tools@canary`; nothing and `none` pin nothing. Undefined when it is malformed. */
function parsePins(list: string): Pins | undefined {
  if (list === '' || list === 'none') return {};

  const entries = list.split(',').map((text) => text.split('@'));
  if (entries.some(({ length }) => length !== 2)) return undefined;

  const result = v.safeParse(pinChangeSchema.entries.pins, Object.fromEntries(entries));
  // A unit that was named twice, and an invalid name, are missing in it.
  return result.success && Object.keys(result.output).length === entries.length ? result.output : undefined;
}

/** Writes pins as a list, always in the same order. */
function formatPins(pins: Pins): string {
  return Object.entries(pins)
    .map((pair) => pair.join('@'))
    .sort()
    .join(',');
}

function readParameter(text: string): { name: string; value: string } {
  const [name, value] = [...new URLSearchParams(text)][0] ?? ['', ''];
  return { name, value };
}

const GRANT_PATTERN = /^([0-9a-z]{1,10})\.([A-Za-z0-9_-]{43})$/;

/** An address with pins, and a grant that covers these pins and no others, until a moment. */
export function makeShareLink(signer: QaSigner, page: string, pins: Pins, until: number): string {
  const time = until.toString(36);
  const grant = `${time}.${signer.sign('share', `${time}|${formatPins(pins)}`)}`;
  const join = page.includes('?') ? '&' : '?';
  return `${page}${join}${PIN_PARAMETER}=${formatPins(pins)}&${GRANT_PARAMETER}=${grant}`;
}

/** When a grant ends; undefined when we have not signed it for these pins. */
function readGrant(signer: QaSigner, grant: string, pins: Pins): number | undefined {
  const [, time = '', signature = ''] = GRANT_PATTERN.exec(grant) ?? [];
  return signer.isSigned('share', `${time}|${formatPins(pins)}`, signature) ? Number.parseInt(time, 36) : undefined;
}
