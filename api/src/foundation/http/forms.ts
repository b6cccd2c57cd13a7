import express, { type Request, type RequestHandler, type Response } from 'express';
import { classifyNavigation } from './fetch-metadata.ts';
import type { InterstitialForm } from './interstitial.ts';
import { jsonBody } from './json-body.ts';

const KB = 1024;

/** A pasted link that a mail program has rewritten is the longest. */
const MAX_FORM_BYTES = 8 * KB;

export const formBody: RequestHandler = express.urlencoded({
  extended: false,
  limit: MAX_FORM_BYTES,
  parameterLimit: 20,
});

/** A form of our pages that a browser can send itself: before its page works, or without JavaScript. */
interface FormOptions {
  ownOrigin: () => string;
  /** The page that has the form. */
  page: string;
  /** The same form once more, with what was typed. */
  again: (res: Response, typed: (name: string) => string) => InterstitialForm;
}

/** Whether a browser has sent a form itself, and shows the answer as a page. Programs and our scripts send JSON. */
export function isForm(req: Request): boolean {
  return Boolean(req.is('application/x-www-form-urlencoded')) && req.accepts(['json', 'html']) === 'html';
}

/**
 * Parses the body of a call: JSON, or a form that a browser sends itself. When that is refused, the page about it has the
 * form again, so that nothing typed is lost. What another site sends has no effect: its visitor is led to our page.
 */
export function jsonOrForm({ ownOrigin, page, again }: FormOptions): RequestHandler {
  return function readForm(req, res, next) {
    if (!isForm(req)) return jsonBody(req, res, next);
    if (classifyNavigation(req, ownOrigin()) !== 'act') return void res.redirect(303, page);

    res.locals[REDISPLAY_KEY] = () => again(res, (name) => submittedValue(req, name));
    return formBody(req, res, next);
  };
}

const REDISPLAY_KEY = 'redisplayForm';

/** The form that was sent, to be sent again; undefined for every other request. */
export function redisplayForm({ locals }: Response): InterstitialForm | undefined {
  return (locals[REDISPLAY_KEY] as (() => InterstitialForm) | undefined)?.();
}

function submittedValue({ body }: Request, name: string): string {
  const value: unknown = (body as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' ? value : '';
}
