import type { KeptPins } from '@app/contracts/qa';
import { pinSessionSchema } from '@app/contracts/qa-requests';
import { FAILED_SHELL_COOKIE } from '@app/contracts/load-report';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import * as v from 'valibot';
import type { QaSigner } from './qa-signer.ts';

const HOUR_MS = 60 * 60 * 1000;

/** How long QA access, pins and the grant of a share link last. */
export const QA_LASTS_MS = 8 * HOUR_MS;

/**
 * How long a browser keeps pins that have ended, so that its next page can say so, and how long a notice waits for the
 * page that shows it.
 */
const KEPT_LONGER_MS = 16 * HOUR_MS;
const NOTICE_WAITS_MS = 60_000;

/** With this prefix no other host and no plain connection can set the cookie. */
const ACCESS = '__Host-qa';
const PINS = '__Host-pin';
const NOTICE = '__Host-qa-notice';
const ATTRIBUTES = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const;

const accessSchema = v.object({ until: v.number() });
const noticeSchema = v.object({ text: v.string(), until: v.number() });

export type QaCookies = ReturnType<typeof createQaCookies>;

/** Sets and reads what a browser keeps for QA: its access, its pins, and a notice for its next page. All are signed. */
export function createQaCookies(signer: QaSigner, now: () => number) {
  const read = (req: Request, name: string) =>
    req.headers.cookie?.includes(name) ? parseCookie(req.headers.cookie)[name] : undefined;
  const put = (res: Response, name: string, value: string, lastsMs: number) =>
    void res.append(
      'set-cookie',
      stringifySetCookie({ name, value, ...ATTRIBUTES, maxAge: Math.ceil(lastsMs / 1000) }),
    );
  const end = (res: Response, name: string) => put(res, name, '', 0);

  /** A simulated fault of the shell may have left it. Another choice of QA begins without: who leaves has the usual shell. */
  const endFailedShell = (res: Response) => {
    if (read(res.req, FAILED_SHELL_COOKIE) === undefined) return;
    res.append('set-cookie', stringifySetCookie({ name: FAILED_SHELL_COOKIE, value: '', path: '/', maxAge: 0 }));
  };

  return {
    /** Whether the browser has been given QA access that still holds. */
    hasAccess(req: Request): boolean {
      const given = v.safeParse(accessSchema, signer.open('access', read(req, ACCESS) ?? ''));
      return given.success && given.output.until > now();
    },
    /** @returns when the access ends, in epoch milliseconds */
    giveAccess(res: Response): number {
      const until = now() + QA_LASTS_MS;
      put(res, ACCESS, signer.seal('access', { until }), QA_LASTS_MS);
      return until;
    },
    endAccess: (res: Response) => end(res, ACCESS),

    /** The pins of the browser; `ended` when they were signed for us no longer, or their time is over. */
    readPins(req: Request): KeptPins | 'ended' | undefined {
      const kept = read(req, PINS);
      if (!kept) return undefined;
      const session = v.safeParse(pinSessionSchema, signer.open('pins', kept));
      return session.success && session.output.until > now() ? session.output : 'ended';
    },
    putPins(res: Response, session: KeptPins): void {
      endFailedShell(res);
      put(res, PINS, signer.seal('pins', session), Math.max(0, session.until - now()) + KEPT_LONGER_MS);
    },
    endPins(res: Response): void {
      endFailedShell(res);
      end(res, PINS);
    },

    readNotice(req: Request): string | undefined {
      const notice = v.safeParse(noticeSchema, signer.open('notice', read(req, NOTICE) ?? ''));
      return notice.success && notice.output.until > now() ? notice.output.text : undefined;
    },
    putNotice(res: Response, text: string): void {
      put(res, NOTICE, signer.seal('notice', { text, until: now() + NOTICE_WAITS_MS }), NOTICE_WAITS_MS);
    },
    endNotice: (res: Response) => end(res, NOTICE),
  };
}
