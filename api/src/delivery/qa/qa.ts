import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { FAILED_SHELL_COOKIE } from '@app/contracts/page-reports';
import type { KeptPins } from '@app/contracts/qa';
import { keptLocalUnitSchema, type LocalUnit, pinSessionSchema } from '@app/contracts/qa-requests';
import type { Unit } from '@app/contracts/unit';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import * as v from 'valibot';
import type { Registry } from '#api/delivery/registry/registry.ts';
import {
  type ReleaseSelection,
  type SelectReleases,
  type Pins,
  withLocalUnit,
} from '#api/delivery/serving/release-selection.ts';
import { deriveSecret } from '#api/foundation/crypto/secrets.ts';

const HOUR_MS = 60 * 60 * 1000;

/** How long QA access, pins and the grant of a share link last. */
export const QA_TTL_MS = 8 * HOUR_MS;

interface QaDeps {
  pepper: string;
  accessKey?: string | undefined;
  /** Whether all browsers have QA access when there is no access key. */
  isOpen: boolean;
  registry: Registry;
  /** Notes which releases pins may name until a moment, so that they are kept until then. */
  notePins: (pins: Pins, until: number) => Promise<void>;
  now: () => number;
}

export type Qa = ReturnType<typeof createQa>;

const PINS_EXPIRED_NOTICE = 'What was pinned in this browser has ended.';

export function createQa({ pepper, accessKey, isOpen, registry, notePins, now }: QaDeps) {
  const signer = createQaSigner({ pepper, accessKey });
  const cookies = createQaCookies(signer, now);
  const isFree = isOpen && accessKey === undefined;

  const hasAccess = (req: Request) => isFree || cookies.hasAccess(req);
  const readPins = (req: Request): KeptPins | undefined => {
    const session = cookies.readPins(req);
    return session === 'ended' ? undefined : session;
  };
  const readLocal = (req: Request): LocalUnit | undefined => {
    const local = cookies.readLocal(req);
    return local && hasAccess(req) ? local : undefined;
  };

  return {
    signer,
    cookies,
    registry,
    now,
    hasAccess,
    readPins,
    /** The unit that this browser gets from its own computer. Without QA access it gets none. */
    readLocal,
    notePins,
    async putPins(res: Response, session: KeptPins): Promise<void> {
      // What a signed link pins was noted when the link was made.
      if (session.by === 'link' || session.by === 'panel') await notePins(session.pins, session.until);
      cookies.putPins(res, session);
    },
    isAccessKey: (key: string) => isFree || (accessKey !== undefined && signer.isSame(key, accessKey)),

    /** Adds to a selection what the browsers of QA are shown of it. */
    explain(select: SelectReleases): SelectReleases {
      const plain = new WeakMap<ReleaseSelection, ReleaseSelection>();

      return async (req, res, ...rest) => {
        const selected = await select(req, res, ...rest);
        // Its next page says that it has ended.
        if (cookies.hasEndedPreview(req)) return selected;
        const local = findLocalUnit(readLocal(req), selected);
        const selection = local ? withLocalUnit(selected, local.unit, local.origin) : selected;
        const kept = cookies.readPins(req);
        const noticed = cookies.readNotice(req);
        const access = hasAccess(req);
        if (!kept && noticed === undefined && !local) return access ? withAccess(plain, selection, isFree) : selection;

        const { faults, publicState } = selection.qa ?? { faults: {}, publicState: { pins: {} } };
        const notice = noticed ?? (kept === 'ended' ? PINS_EXPIRED_NOTICE : publicState.notice);
        const further = { ...(local && { local }), ...(notice !== undefined && { notice }) };
        return { ...selection, qa: { faults, publicState: { ...publicState, access, ...further } } };
      };
    },

    /** Ends what a page says once, when the page is sent: a redirect says nothing. */
    endShownNotices(res: Response, { qa }: ReleaseSelection): void {
      if (qa?.publicState.notice === undefined) return;
      if (cookies.readNotice(res.req) !== undefined) cookies.endNotice(res);
      if (cookies.readPins(res.req) === 'ended') cookies.endPins(res);
    },
  };
}

/** Where a unit of a page comes from, on the computer of the browser. A unit that visitors no longer get has no page. */
function findLocalUnit(
  local: LocalUnit | undefined,
  { units }: ReleaseSelection,
): { unit: Unit; origin: string } | undefined {
  if (!local || !units.has(local.unit)) return undefined;
  return { unit: local.unit, origin: `http://localhost:${String(local.port)}` };
}

/** The selection of browsers with QA access in which nothing is pinned: they share it, as visitors share theirs. */
function withAccess(
  known: WeakMap<ReleaseSelection, ReleaseSelection>,
  selection: ReleaseSelection,
  isFree: boolean,
): ReleaseSelection {
  let same = known.get(selection);
  const isForAll = isFree && selection.isForAll === true;
  if (!same)
    known.set(
      selection,
      (same = { ...selection, isForAll, qa: { faults: {}, publicState: { access: true, pins: {} } } }),
    );
  return same;
}

/** How long a browser keeps ended pins, so that its next page can say so; how long a notice waits for its page. */
const KEPT_LONGER_MS = { pins: 16 * HOUR_MS, preview: 30 * 24 * HOUR_MS };
const NOTICE_TTL_MS = 60_000;

/** With this prefix no other host and no plain connection can set the cookie. */
const ACCESS_COOKIE = '__Host-qa';
const PINS_COOKIE = '__Host-pin';
const NOTICE_COOKIE = '__Host-qa-notice';
const LOCAL_UNIT_COOKIE = '__Host-qa-local';
const COOKIE_ATTRIBUTES = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const;

const accessSchema = v.object({ until: v.number() });
const noticeSchema = v.object({ text: v.string(), until: v.number() });

/** The signed cookies of QA. */
function createQaCookies(signer: QaSigner, now: () => number) {
  const read = (req: Request, name: string) =>
    req.headers.cookie?.includes(name) ? parseCookie(req.headers.cookie)[name] : undefined;
  const put = (
    res: Response,
    name: string,
    value: string,
    lastsMs: number,
    sameSite: 'lax' | 'strict' = COOKIE_ATTRIBUTES.sameSite,
  ) =>
    void res.append(
      'set-cookie',
      stringifySetCookie({ name, value, ...COOKIE_ATTRIBUTES, sameSite, maxAge: Math.ceil(lastsMs / 1000) }),
    );
  const end = (res: Response, name: string) => put(res, name, '', 0);
  /** What a cookie keeps, also when it has ended; undefined when we have not signed it, or it has another form. */
  const open = <Schema extends v.GenericSchema>(
    req: Request,
    name: string,
    purpose: SignaturePurpose,
    schema: Schema,
  ) => {
    const kept = v.safeParse(schema, signer.open(purpose, read(req, name) ?? ''));
    return kept.success ? kept.output : undefined;
  };
  const isOpen = (kept: { until: number } | undefined) => kept !== undefined && kept.until > now();

  /** A simulated fault may have marked the shell as failed. When its pins change or end, the browser tries it again. */
  const endFailedShell = (res: Response) => {
    if (read(res.req, FAILED_SHELL_COOKIE) === undefined) return;
    res.append('set-cookie', stringifySetCookie({ name: FAILED_SHELL_COOKIE, value: '', path: '/', maxAge: 0 }));
  };

  return {
    hasAccess: (req: Request) => isOpen(open(req, ACCESS_COOKIE, 'access', accessSchema)),
    giveAccess(res: Response): number {
      const until = now() + QA_TTL_MS;
      put(res, ACCESS_COOKIE, signer.seal('access', { until }), QA_TTL_MS);
      return until;
    },
    endAccess: (res: Response) => end(res, ACCESS_COOKIE),

    /** Whether the browser sends pins, of which nothing is known yet. */
    hasPins: (req: Request) => read(req, PINS_COOKIE) !== undefined,

    /** The pins of the browser; `ended` when they have expired, or were signed with an earlier secret. */
    readPins(req: Request): KeptPins | 'ended' | undefined {
      if (!read(req, PINS_COOKIE)) return undefined;
      const session = open(req, PINS_COOKIE, 'pins', pinSessionSchema);
      return isOpen(session) ? session : 'ended';
    },
    hasEndedPreview(req: Request): boolean {
      const session = open(req, PINS_COOKIE, 'pins', pinSessionSchema);
      return session?.by === 'preview' && !isOpen(session);
    },
    putPins(res: Response, session: KeptPins): void {
      endFailedShell(res);
      const longer = session.by === 'preview' ? KEPT_LONGER_MS.preview : KEPT_LONGER_MS.pins;
      put(res, PINS_COOKIE, signer.seal('pins', session), Math.max(0, session.until - now()) + longer);
    },
    endPins(res: Response): void {
      endFailedShell(res);
      end(res, PINS_COOKIE);
    },

    readLocal(req: Request): LocalUnit | undefined {
      const local = open(req, LOCAL_UNIT_COOKIE, 'local', keptLocalUnitSchema);
      return isOpen(local) ? local : undefined;
    },
    putLocal(res: Response, local: LocalUnit): number {
      const until = now() + QA_TTL_MS;
      // No link on another site leads to a page with code from this computer.
      put(res, LOCAL_UNIT_COOKIE, signer.seal('local', { ...local, until }), QA_TTL_MS, 'strict');
      return until;
    },
    endLocal: (res: Response) => end(res, LOCAL_UNIT_COOKIE),

    readNotice(req: Request): string | undefined {
      const notice = open(req, NOTICE_COOKIE, 'notice', noticeSchema);
      return isOpen(notice) ? notice?.text : undefined;
    },
    putNotice(res: Response, text: string): void {
      put(res, NOTICE_COOKIE, signer.seal('notice', { text, until: now() + NOTICE_TTL_MS }), NOTICE_TTL_MS);
    },
    endNotice: (res: Response) => end(res, NOTICE_COOKIE),
  };
}

export type QaSigner = ReturnType<typeof createQaSigner>;

/** What a signature is for. One that was made for another purpose is refused. */
type SignaturePurpose = 'access' | 'key' | 'local' | 'notice' | 'pins' | 'share';

/** The secret depends on the access key, so that a new one invalidates every earlier signature. */
function createQaSigner({ pepper, accessKey = '' }: { pepper: string; accessKey?: string | undefined }) {
  const secret = deriveSecret(pepper, `qa ${createHash('sha256').update(accessKey).digest('hex')}`);

  const digest = (purpose: SignaturePurpose, text: string) =>
    createHmac('sha256', secret).update(`${purpose}|${text}`).digest();
  const sign = (purpose: SignaturePurpose, text: string) => digest(purpose, text).toString('base64url');
  const isSigned = (purpose: SignaturePurpose, text: string, signature: string) => {
    const right = Buffer.from(sign(purpose, text));
    const given = Buffer.from(signature);
    return given.length === right.length && timingSafeEqual(given, right);
  };

  return {
    sign,
    isSigned,

    /** Whether two secret texts are the same, in constant time. */
    isSame: (one: string, other: string) => timingSafeEqual(digest('key', one), digest('key', other)),

    seal(purpose: SignaturePurpose, data: object): string {
      const text = Buffer.from(JSON.stringify(data)).toString('base64url');
      return `${text}.${sign(purpose, text)}`;
    },

    /** Undefined when we have not signed the text for this purpose. */
    open(purpose: SignaturePurpose, sealed: string): unknown {
      // Almost all browsers have no cookie of QA: their pages cost no HMAC.
      if (sealed === '') return undefined;
      const [text = '', signature = ''] = sealed.split('.');
      return isSigned(purpose, text, signature)
        ? JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
        : undefined;
    },
  };
}
