import { createHash, pbkdf2Sync } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { App } from '../world/product.ts';
import { codeOf, type Answer, type RequestInit } from '../world/client.ts';
import type { AdvertiserId, Visit } from '../fakes/advertisers.ts';
import type { Random } from '../world/random.ts';
import type { World } from '../world/world.ts';

/** The system that a player names. */
const OS = 'android';
/** The headers of a browser that follows a link within the site. */
const LINK_HEADERS = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
/** The headers of a browser that another site sends to the server. */
const REDIRECT_HEADERS = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
/** The headers of a call by a script of the site. */
export const FETCH_HEADERS = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };

/** How often a player lets a server put off a captcha. */
const MAX_CAPTCHA_RETRIES = 5;

/** A solution of a captcha is found long before. */
const MAX_ROUNDS = 100_000;

export interface PlayerOptions {
  random: Random;
  address: string;
  app?: App;
  hwid?: string;
  zone?: string;
}

/** The site's page that a redirect leads to. */
export interface Page {
  /** `step`, or the last part of the path. */
  name: string;
  /** The number of the step; NaN for other pages. */
  step: number;
  /** The parameter `e`: why the visitor was led there. */
  notice: string | null;
  isWaiting: boolean;
}

export interface StepStart {
  step?: number | undefined;
  advertiser?: AdvertiserId | undefined;
}

/** The result of a step start: the link to an advertiser, or a page of the site. */
type StepStarted =
  | { answer: Answer; link: string; returnUrl: string; page?: undefined }
  | { answer: Answer; link?: undefined; returnUrl?: undefined; page: Page };

/** The fields of `/api/keysystem/state` that players use. */
interface State {
  run: { step: number; zone: string } | null;
  key: { active: boolean } | null;
}

/** The answer of `/api/key`. */
interface KeyAnswer {
  /** A word such as `active`; the HTTP status when the answer is an error. */
  status: string | number;
  key?: string;
  step?: number;
}

export type Player = ReturnType<typeof createPlayer>;

/** A player with a device and a browser. The server sees it behind a proxy that names its network address. */
export function createPlayer(
  world: Pick<World, 'client' | 'solved' | 'tickets' | 'advertisers' | 'now' | 'dwellMs'>,
  { random, address, app = 'main', hwid = `device-${random.hex(16)}`, zone = `zone-${random.hex(8)}` }: PlayerOptions,
) {
  const cookies = new Map<string, string>();

  async function send(target: string, { headers = LINK_HEADERS, ...init }: RequestInit = {}): Promise<Answer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await world.client.ask(target, {
      ...init,
      headers: { 'x-forwarded-for': player.address, ...(cookie && { cookie }), ...headers },
    });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name && value !== undefined) cookies.set(name, value);
    }
    return answer;
  }

  const post = (path: string, body: unknown) =>
    send(path, {
      method: 'POST',
      headers: { ...FETCH_HEADERS, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const who = () => new URLSearchParams({ hwid, ...(zone && { zone }) });

  const player = {
    hwid,
    zone,
    app,
    address,
    cookies,
    send,
    post,
    who,

    /**
     * Solves a captcha and returns the token without sending it.
     * @param options.triesLeft how often it may be put off, as an overloaded server does; the page then asks again by itself
     */
    async solveCaptcha({ triesLeft = MAX_CAPTCHA_RETRIES } = {}): Promise<string> {
      const answer = await send(`/api/captcha/challenge?${new URLSearchParams({ hwid, os: OS })}`, {
        headers: FETCH_HEADERS,
      });
      const pauseS = Number(answer.headers['retry-after']);
      if (answer.status === 503 && triesLeft > 0 && pauseS > 0) {
        await wait(pauseS * 1000);
        return player.solveCaptcha({ triesLeft: triesLeft - 1 });
      }
      if (answer.status !== 200) throw new UnexpectedAnswer(`No captcha: ${answer.status} ${answer.text}`, answer);
      const challenge = JSON.parse(answer.text) as Challenge;
      world.solved.set(createHash('sha256').update(challenge.parameters.nonce).digest('base64url'), hwid);
      return Buffer.from(JSON.stringify({ challenge, solution: solve(challenge) })).toString('base64');
    },

    /** Sends a captcha's token. An answer with the text `true` is a pass. */
    handIn: (token: string) =>
      post('/api/v2/verify-captcha', { 'g-recaptcha-response': token, hwid, OS, advertiser: 'linkvertise' }),

    async passCaptcha(): Promise<void> {
      const { status, text } = await player.handIn(await player.solveCaptcha());
      if (text !== 'true') throw new Error(`The captcha was not passed: ${status} ${text}`);
    },

    /** Presses Complete. Returns the link to the advertiser, or the page that the server leads to instead. */
    async clickComplete({ step, advertiser = 'linkvertise' }: StepStart = {}): Promise<StepStarted> {
      const query = who();
      if (app === 'main') query.set('advertiser', advertiser);
      if (app === 'main') query.set('os', OS);
      if (step !== undefined) query.set('step', String(step));
      const askedAt = world.now();
      const answer = await send(`${app === 'main' ? '/api/keysystemv2' : '/api/saverobux/keysystem'}?${query}`);
      // An overloaded server begins no run, and its page repeats the step start by itself.
      if (answer.status === 503 && answer.headers.refresh !== undefined) {
        await wait(Number(answer.headers.refresh) * 1000);
        return player.clickComplete({ step, advertiser });
      }
      if (answer.status !== 302 || answer.location === undefined) return { answer, page: pageOf(answer.location) };

      const { ticketHash, returnUrl } = world.advertisers.resolve(answer.location);
      world.tickets.set(ticketHash, { hwid, app, askedAt });
      return { answer, link: answer.location, returnUrl };
    },

    /** Waits as long as a visitor has to stay at an advertiser. */
    dwell: (): Promise<void> => wait(world.dwellMs + 5),

    comeBack: (returnUrl: string) => send(returnUrl, { headers: REDIRECT_HEADERS }),

    /** Returns from the advertiser. While the server says to wait, it asks again. Returns the page at the end. */
    async arrive(returnUrl: string): Promise<Page> {
      const answer = await player.comeBack(returnUrl);
      if (answer.headers.refresh === undefined) return pageOf(answer.location);

      await wait(Number(answer.headers.refresh) * 1000);
      return player.arrive(returnUrl);
    },

    /** Plays one honest step, from the button to the page after it. */
    async takeStep({ step, advertiser, how }: StepStart & { how?: Visit } = {}): Promise<Page> {
      const { link, answer } = await player.clickComplete({ step, advertiser });
      if (!link)
        throw new Error(
          `No way to an advertiser on step ${step ?? 1}: ${answer.status} ${answer.location ?? answer.text}`,
        );
      await player.dwell();
      return player.arrive(await world.advertisers.finish(link, how));
    },

    async state(): Promise<State | undefined> {
      const answer = await send(`/api/keysystem/state?${who()}&app=${app}`, { headers: FETCH_HEADERS });
      return answer.status === 200 ? (JSON.parse(answer.text) as State) : undefined;
    },

    /** Asks for the key, as the app does. Undefined for an answer that is neither 200 nor 403. */
    async key(): Promise<KeyAnswer | undefined> {
      const answer = await send(`/api/key?${who()}&app=${app}`, { headers: {} });
      return answer.status === 200 || answer.status === 403 ? (JSON.parse(answer.text) as KeyAnswer) : undefined;
    },
  };
  return player;
}

/** An answer of the server with which a player cannot go on. */
export class UnexpectedAnswer extends Error {
  readonly status: number;
  readonly headers: Answer['headers'];

  constructor(message: string, { status, headers }: Pick<Answer, 'status' | 'headers'>) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** @throws UnexpectedAnswer when a server did not really answer: its status is 500 or higher */
export function requireAnswer(answer: Answer): Answer {
  if (answer.status >= 500) throw new UnexpectedAnswer(`No answer but ${answer.status}`, answer);
  return answer;
}

/**
 * Asks for the key of a device, as its app does.
 * @throws UnexpectedAnswer without an answer
 */
export async function keyOf(player: Player): Promise<KeyAnswer> {
  const told = await player.key();
  if (told === undefined) throw new UnexpectedAnswer('No answer about the key', { status: 503, headers: {} });
  return told;
}

/** Whether an error only says that the server could not be reached, or was unhealthy. */
export function isOutage(error: unknown): boolean {
  return (
    (error instanceof UnexpectedAnswer && error.status >= 500) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? '') ||
    (error instanceof Error && ['aborted', 'socket hang up'].includes(error.message))
  );
}

/** A captcha of the server: the parts that are needed to solve it. Its token contains the whole challenge unchanged. */
interface Challenge {
  parameters: { nonce: string; salt: string; cost: number; keyLength: number; keyPrefix: string };
}

/** Solves a captcha like the widget does, but on this thread, which is faster. */
function solve({ parameters }: Challenge): { counter: number; derivedKey: string } {
  const { nonce, salt, cost, keyLength, keyPrefix } = parameters;
  const password = Buffer.concat([Buffer.from(nonce, 'hex'), Buffer.alloc(4)]);
  for (let counter = 0; counter < MAX_ROUNDS; counter++) {
    password.writeUInt32BE(counter, password.length - 4);
    const derivedKey = pbkdf2Sync(password, Buffer.from(salt, 'hex'), cost, keyLength, 'sha256').toString('hex');
    if (derivedKey.startsWith(keyPrefix)) return { counter, derivedKey };
  }
  throw new Error('The captcha has no solution');
}

/** Reads the page that a redirect leads to. Without a redirect, its name is `none`. */
export function pageOf(location: string | undefined): Page {
  if (location === undefined) return { name: 'none', step: NaN, notice: null, isWaiting: false };

  const { pathname, searchParams } = new URL(location, 'http://localhost');
  // The gate is the first page of a run without a zone.
  const name = pathname === '/gate' ? '1' : (/\/key-system-(\w+)$/.exec(pathname)?.[1] ?? pathname);
  return {
    name: /^\d$/.test(name) ? 'step' : name,
    step: Number(name),
    notice: searchParams.get('e'),
    isWaiting: searchParams.get('wait') === '1',
  };
}
