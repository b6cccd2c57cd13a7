import { ERRORS, type ErrorCode, parseErrorCode } from '@app/contracts/errors';
import { type AppId, isSpecified, parseOs } from '@app/contracts/key-system';
import { deviceQuerySchema, type KeyFinding } from '@app/contracts/app-calls';
import type { RunState } from '@app/contracts/key-system-schemas';
import { runPagePath } from '@app/contracts/pages';
import { MAX_LIMIT_MS, STEP_NOTICES } from '@app/contracts/step-notices';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import type { Site } from '#api/foundation/module.ts';
import { classifyNavigation } from '#api/foundation/http/fetch-metadata.ts';
import { allowExternalFormAction, noStore } from '#api/foundation/http/headers.ts';
import { formatWords, interstitialMessages, sendInterstitial } from '#api/foundation/http/interstitial.ts';
import { formBody } from '#api/foundation/http/forms.ts';
import { parse, singleString } from '#api/foundation/http/request-input.ts';
import { DEVICE_CLAIM_CODES, type DeviceClaim } from '#api/product/devices/device.ts';
import { FIRST_STEP, type Destination, destinationUrl } from '#api/product/key-system/destinations.ts';

interface RunFormsDeps extends Pick<Site, 'readIdentity' | 'now'> {
  findKey: (app: AppId, visitor: DeviceClaim, by: ClientIdentity) => Promise<KeyFinding>;
  readState: (app: AppId, visitor: DeviceClaim, by: ClientIdentity) => Promise<RunState>;
  findScheme: (app: AppId) => Promise<string>;
  limitKeys: RequestHandler;
  ownOrigin: () => string;
}

const START = { main: '/api/keysystemv2', companion: '/api/saverobux/keysystem' } as const;

const MINUTE_MS = 60_000;

/** A folder with the pages of a run; `registered` stands for all apps that the query names. */
type Folder = keyof typeof START | 'registered';

/**
 * The forms of a run's pages, for browsers without JavaScript. They go to the address of their document, which names the
 * device, so the document has nothing of it. What is sent begins nothing: the answer leads on to the address that does,
 * by a navigation of its own, because browsers hold what follows a form to the policy of its page.
 */
export function runFormsRoutes({
  findKey,
  readState,
  findScheme,
  limitKeys,
  readIdentity,
  ownOrigin,
  now,
}: RunFormsDeps): Router {
  const router = Router();
  const minutesUntil = (at: number) => Math.ceil((at - now()) / MINUTE_MS);

  /** Says why the visitor was led back, and until when: epoch milliseconds, or null when nobody knows. */
  function sendRefusal(res: Response, code: ErrorCode, until: number | null, href: string): void {
    const { problem, leadsOn, goOnIn } = interstitialMessages(res);
    const texts: Partial<Record<ErrorCode, { title: string; text: string }>> = problem.texts;
    const { title, text } = texts[code] ?? { title: ERRORS[code].title, text: problem.otherwise };
    const left = until === null ? 0 : minutesUntil(until);
    sendInterstitial(res, {
      title,
      text: left > 0 ? `${text} ${formatWords(res, goOnIn, { left: timeLeft(res, left) })}` : text,
      link: { href, label: leadsOn.label },
    });
  }

  for (const folder of ['main', 'companion', 'registered'] as const) {
    const pages = runPagePath(folder, 'getkey').replace('getkey', '');
    router.post(`${pages}getkey`, noStore, limitKeys, async (req, res) => {
      const { app, visitor } = readVisitor(folder, req);
      const judgement = classifyNavigation(req, ownOrigin());
      if (judgement === 'refuse') return void res.status(403).end();
      const redirectToPage = (to: Destination) => res.redirect(303, destinationUrl(app, to, visitor));
      // The page of another site has sent it: the visitor sees ours first.
      if (judgement === 'ask') return redirectToPage({ page: 'getkey' });

      const found = await findKey(app, visitor, readIdentity(req));
      const begin = destinationUrl(app, FIRST_STEP, visitor);
      if (found.status === 'blocked') return sendRefusal(res, found.reason, found.until, begin);
      if (found.status === 'in_progress') return redirectToPage({ page: 'step', step: found.step });
      if (found.status !== 'active') return redirectToPage(FIRST_STEP);

      const left = timeLeft(res, minutesUntil(found.expiresAt));
      const { label, ...words } = formatWords(res, interstitialMessages(res).yourKey, { left });
      sendInterstitial(res, {
        ...words,
        picture: 'cutKey',
        details: found.key,
        link: { href: await findScheme(app), label },
      });
    });

    router.post(`${pages}bypass`, noStore, limitKeys, async (req, res) => {
      const { app, visitor } = readVisitor(folder, req);
      const begin = destinationUrl(app, FIRST_STEP, visitor);
      if (classifyNavigation(req, ownOrigin()) !== 'act') return res.redirect(303, begin);

      // Anyone can write an address, so what counts against a device is what is known of it.
      const { cooldown, strikes } = await readState(app, visitor, readIdentity(req));
      if (cooldown) return sendRefusal(res, cooldown.reason, cooldown.until, begin);
      const struck = parseErrorCode(strikes?.codes.find((code) => code === req.query['r']));
      if (!struck) return res.redirect(303, begin);
      sendRefusal(res, struck, null, begin);
    });

    router.post(`${pages}:step`, noStore, formBody, (req, res, next) => {
      const step = Number(req.params.step);
      if (!/^[1-9]$/.test(String(req.params.step))) return next();
      const judgement = classifyNavigation(req, ownOrigin());
      if (judgement === 'refuse') return void res.status(403).end();

      const { app, visitor } = readVisitor(folder, req);
      const address = startAddress(app, visitor, { step, ...readChoice(req) });
      if (judgement === 'ask') return sendQuestion(res, 'askForKey', address);
      // Nothing else can ask or tell this visitor.
      const { e: code } = req.query;
      const until = Date.parse(singleString(req.query['until']) ?? '');
      const isLimit = code === 'KS_LIMIT' && until <= now() + MAX_LIMIT_MS;
      if (code === 'KS_OTHER_ZONE') return sendQuestion(res, 'askToKeepZone', `${address}&run=keep`);
      if (isAttemptNotice(code)) return sendRefusal(res, code, isLimit ? until : null, address);
      const { label, ...words } = interstitialMessages(res).leadsOn;
      sendInterstitial(res, { ...words, refreshInSeconds: 0, refreshTo: address, link: { href: address, label } });
    });
  }

  return router;
}

/** A length of time, from two hours on in hours. */
function timeLeft(res: Response, minutes: number): string {
  const { minutesLeft, hoursLeft } = interstitialMessages(res);
  return formatWords(res, minutes < 120 ? minutesLeft : hoursLeft, { minutes, hours: Math.ceil(minutes / 60) });
}

/** A step that is not the visitor's needs no words. */
function isAttemptNotice(code: unknown): code is ErrorCode {
  return code !== 'KS_STEP' && STEP_NOTICES.some((notice) => notice === code);
}

/** Asks by a form, whose answer begins the step. It may lead to another site. */
function sendQuestion(res: Response, question: 'askForKey' | 'askToKeepZone', action: string): void {
  allowExternalFormAction(res);
  const { label, ...words } = interstitialMessages(res)[question];
  sendInterstitial(res, { ...words, form: { action, label } });
}

/** @throws AppError `KS_HWID`, `KS_ZONE` or `KS_APP` */
function readVisitor(folder: Folder, { query }: Request): { app: AppId; visitor: DeviceClaim } {
  const named = folder === 'registered' ? (query['app'] ?? '') : folder;
  const { app, ...device } = parse(deviceQuerySchema, { ...query, app: named }, DEVICE_CLAIM_CODES);
  return { app, visitor: { ...device, os: parseOs(singleString(query['os'])) } };
}

/** What a name of an advertiser looks like: the answer's head repeats it. */
const NAME = /^[\w-]{1,32}$/;

/** The advertiser that was chosen, else the one that the address names. */
function readChoice({ body, query }: Request): { advertiser: string | undefined } {
  const { advertiser } = (body ?? {}) as { advertiser?: unknown };
  const chosen = singleString(advertiser) ?? singleString(query['advertiser']);
  return { advertiser: chosen !== undefined && NAME.test(chosen) ? chosen : undefined };
}

/** The address that begins a step, as the button of its page has it. */
function startAddress(
  app: AppId,
  { hwid, zone, os }: DeviceClaim,
  { step, advertiser }: { step: number; advertiser: string | undefined },
): string {
  const path = isSpecified(app) ? START[app] : `/api/apps/${app}/keysystem`;
  const parts = { hwid, advertiser, os, zone, step: String(step) };
  const named = Object.entries(parts).filter((part): part is [string, string] => Boolean(part[1]));
  return `${path}?${new URLSearchParams(named).toString()}`;
}
