/**
 * A client of the key system: it opens the page, waits for the key, and checks a key with the server. It needs fetch,
 * and the file verify-key.mjs beside it.
 */
import { verifyKey, verifyVerdict, type Jwks } from './verify-key.mjs';

/** The pages of the site's own apps. All others share one, whose address names the app. */
const PAGES = new Map([
  ['main', '/key-system-1?'],
  ['companion', '/rosaverx/key-system-1?'],
]);

/** The pauses after calls that failed, in seconds. The last one repeats. */
const PAUSES_S = [5, 10, 20, 40, 60];
const LONGEST_RETRY_AFTER_S = 300;

/** For how long the server may hold a call until there is news. */
const HOLD_S = 25;

/** An answer is never this long. A longer one is not ours, or never ends. */
const LONGEST_ANSWER = 65_536;

/** What is wrong with a request, so that waiting changes nothing. */
const FINAL_CODES = ['request.invalid', 'request.version', 'KS_HWID', 'KS_ZONE', 'KS_APP'];

export interface KeyClientOptions {
  /** The address of the site, without a slash at its end. */
  site: string;
  /** The app. Always send it: without it the server answers for "main". */
  /** `main`, `companion`, or the id of a registered app. */
  app: string;
  /** The device: 6 to 128 letters, digits, dots, colons, dashes, underscores. */
  hwid: string;
  /** A token of your own. Only calls with the same zone get the key. */
  zone: string;
  /** The public keys, as part of your app. Only an update of the app brings new ones. */
  jwks: Jwks;
  /** The latest time of the server that the app has stored, in seconds. Only what is signed raises it. */
  highWater?: number;
  /** How many seconds a call may take. */
  timeout?: number;
  wait?: (seconds: number) => Promise<unknown>;
  /** The device's clock, in seconds since 1970. */
  clock?: () => number;
}

/** Times are in milliseconds since 1970, by the server's clock. */
export type KeyAnswer = { app: string; now: number } & (
  | { status: 'active'; key: string; expiresAt: number }
  | { status: 'in_progress'; step: number; of: number }
  | { status: 'none'; reason?: 'zone' }
  | { status: 'blocked'; until: number | null; reason: string }
);

/**
 * What the client waits for: a network; a server that works; a server with time for us; an answer that is one of ours
 * (another server answers, for example the login page of a hotel, or this app is too old); the steps of the visitor.
 */
export type WaitReason = 'network' | 'server' | 'busy' | 'answer' | 'steps';

/** The code of a check. Only "VALID" opens the app. */
export interface Checked {
  code: string;
  /** In seconds since 1970. */
  expiresAt?: number;
}

type Fields = Readonly<Record<string, unknown>>;
type Heard =
  { answer: Fields; isHeld: boolean } | { reason: Exclude<WaitReason, 'steps'>; retryAfter?: number | undefined };

/** The server refused a call, and waiting does not help. The page /errors explains each code. */
export class Refusal extends Error {
  readonly code: string;

  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}

export class KeyClient {
  /** In seconds. Store it in the app when it has risen, to notice a clock that was set back. */
  highWater: number;
  readonly #options: KeyClientOptions;

  constructor(options: KeyClientOptions) {
    this.#options = options;
    this.highWater = options.highWater ?? 0;
  }

  /** The page to open in the visitor's browser. */
  link(): string {
    const { site, app } = this.#options;
    return `${site}${PAGES.get(app) ?? `/apps/key-system-1?app=${encodeURIComponent(app)}&`}${this.#who()}`;
  }

  /**
   * Opens the app with a key that it has stored, with or without a network. When the key is right, `onOpen` is called
   * at once; then the server is asked, which alone knows of revoked keys.
   * @returns a code other than "VALID" when the app has to ask for a key, or to close again
   */
  async open(key: string, onOpen: () => void = () => {}): Promise<Checked> {
    const { hwid, app, jwks } = this.#options;
    const offline = await verifyKey({ key, hwid, app, jwks, now: this.#clock(), highWater: this.highWater });
    if (offline.code !== 'VALID') return offline;

    this.highWater = offline.highWater;
    onOpen();
    const online = await this.checkOnline(key).catch(() => ({ code: 'NO_ANSWER' }));
    return ['NO_ANSWER', 'UNTRUSTED', 'UNSUPPORTED'].includes(online.code) ? offline : online;
  }

  /**
   * Asks for the key once.
   * @returns undefined when no answer of ours came
   */
  async askForKey(): Promise<KeyAnswer | undefined> {
    const heard = await this.#askForKey();
    return 'answer' in heard ? (heard.answer as KeyAnswer) : undefined;
  }

  /**
   * Asks for the key until the app has something to do, however long the network or the server is away. "active": check
   * the key, then open the app. "blocked": wait until the given time. "none" with the reason "zone": open the page
   * again, because the key was earned with another zone.
   */
  async waitForKey(
    onAnswer: (answer: KeyAnswer) => void = () => {},
    onWaiting: (reason: WaitReason, seconds: number) => void = () => {},
  ): Promise<KeyAnswer> {
    let failures = 0;
    let holdSeconds = 0;
    for (;;) {
      const heard = await this.#askForKey(holdSeconds);
      if ('answer' in heard) {
        const answer = heard.answer as KeyAnswer;
        onAnswer(answer);
        const isOnItsWay = answer.status === 'in_progress' || (answer.status === 'none' && !answer.reason);
        if (!isOnItsWay) return answer;
        failures = 0;
        holdSeconds = HOLD_S;
        // A server that has held the call has waited for us.
        const seconds = heard.isHeld ? 0 : 5;
        onWaiting('steps', seconds);
        await this.#wait(seconds);
      } else {
        const seconds = heard.retryAfter ?? pauseAfter(failures);
        failures += 1;
        onWaiting(heard.reason, seconds);
        await this.#wait(seconds);
      }
    }
  }

  /**
   * Has the server check a key, once. The code is the server's only if the answer is signed and answers this very
   * question. Otherwise it is "NO_ANSWER", "UNTRUSTED" or "UNSUPPORTED".
   */
  async checkOnline(key: string): Promise<Checked> {
    const { hwid, app, jwks } = this.#options;
    const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))))
      .replaceAll('+', '-')
      .replaceAll('/', '_');
    const heard = await this.#ask('/api/key/verify', isVerdict, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ key, hwid, app, nonce }),
    });
    if (!('answer' in heard)) return { code: 'NO_ANSWER' };

    const verdict = heard.answer['verdict'] as string;
    const checked = await verifyVerdict({ verdict, nonce, key, hwid, app, jwks });
    this.highWater = Math.max(this.highWater, checked.highWater ?? 0);
    return checked;
  }

  /** Fetches the public keys, to put them into the app when you build it. */
  async publicKeys(): Promise<Jwks> {
    const response = await fetch(`${this.#options.site}/.well-known/jwks.json`, { signal: this.#timeLimit() });
    if (!response.ok) throw new Error(`No public keys: ${response.status}`);
    return (await response.json()) as Jwks;
  }

  #askForKey(holdSeconds = 0): Promise<Heard> {
    const headers = { Prefer: `wait=${holdSeconds}` };
    return this.#ask(`/api/key?${this.#who()}&app=${this.#options.app}`, isKeyAnswer, { headers }, holdSeconds);
  }

  async #ask(
    path: string,
    isOurs: (answer: Fields, status: number) => boolean,
    init: RequestInit,
    holdSeconds = 0,
  ): Promise<Heard> {
    let response: Response;
    let text: string;
    try {
      const headers = { ...init.headers, 'API-Version': '1' };
      response = await fetch(this.#options.site + path, { ...init, headers, signal: this.#timeLimit(holdSeconds) });
      text = await beginningOf(response);
    } catch {
      return { reason: 'network' };
    }

    const { status } = response;
    const retryAfter = this.#retryAfter(response.headers);
    if (status === 429 || status === 503) return { reason: 'busy', retryAfter };
    if (status >= 500) return { reason: 'server', retryAfter };

    const answer = fieldsOf(text);
    const { code, type, title, detail, now } = answer;
    const isFinal = status >= 400 && typeof code === 'string' && FINAL_CODES.includes(code);
    if (isFinal && typeof type === 'string' && typeof title === 'string') {
      throw new Refusal(code, typeof detail === 'string' ? detail : title);
    }
    if (!isOurs(answer, status) || typeof answer['app'] !== 'string' || !isTime(now) || now <= 0)
      return { reason: 'answer' };

    return { answer, isHeld: response.headers.has('Preference-Applied') };
  }

  /** The seconds of a Retry-After in digits, or as a date, which counts from the answer's own. */
  #retryAfter(headers: Headers): number | undefined {
    const value = headers.get('Retry-After') ?? '';
    const from = Date.parse(headers.get('Date') ?? '') / 1000 || this.#clock();
    const seconds = /^\d{1,6}$/.test(value) ? Number(value) : Date.parse(value) / 1000 - from;
    return /^\d{1,6}$|GMT$/.test(value) && seconds > 0 ? Math.min(seconds, LONGEST_RETRY_AFTER_S) : undefined;
  }

  #timeLimit(holdSeconds = 0): AbortSignal {
    return AbortSignal.timeout(((this.#options.timeout ?? 10) + holdSeconds) * 1000);
  }

  #clock(): number {
    return this.#options.clock?.() ?? Date.now() / 1000;
  }

  #who(): string {
    const { hwid, zone } = this.#options;
    return String(new URLSearchParams({ hwid, zone }));
  }

  #wait(seconds: number): Promise<unknown> {
    const { wait = (s) => new Promise((done) => setTimeout(done, s * 1000)) } = this.#options;
    return wait(seconds);
  }
}

/** Up to a fifth is left to chance, so that not all apps ask a server that returns at the same moment. */
function pauseAfter(failures: number): number {
  return (PAUSES_S[failures] ?? 60) * (1 + Math.random() / 5);
}

/** The text of an answer, as far as an answer of ours goes. */
async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    text += decoder.decode(part.value, { stream: true });
    if (text.length <= LONGEST_ANSWER) continue;
    await reader?.cancel();
    return '';
  }
  return text;
}

/** The fields of an object in JSON. None when it is something else. */
function fieldsOf(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Fields) : {};
  } catch {
    return {};
  }
}

function isKeyAnswer({ status, key, expiresAt, step, of, until, reason }: Fields, httpStatus: number): boolean {
  if (httpStatus !== (status === 'blocked' ? 403 : 200)) return false;
  if (status === 'active') return typeof key === 'string' && isTime(expiresAt);
  if (status === 'in_progress') return isTime(step) && isTime(of);
  if (status === 'none') return reason === undefined || reason === 'zone';
  return status === 'blocked' && typeof reason === 'string' && (until === null || isTime(until));
}

function isVerdict({ valid, code }: Fields, httpStatus: number): boolean {
  return httpStatus === 200 && typeof valid === 'boolean' && typeof code === 'string';
}

function isTime(value: unknown): value is number {
  return Number.isFinite(value);
}
