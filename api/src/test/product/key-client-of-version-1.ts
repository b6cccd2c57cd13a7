/**
 * A client of the key system: it opens the page, waits for the key, and
 * checks a key with the server. No dependencies; it only needs fetch.
 */

const PAGES = { main: '/key-system-1', companion: '/rosaverx/key-system-1' };

export interface KeyClientOptions {
  /** The address of the site, without a slash at its end. */
  site: string;
  /** The app. Always send it: without it the server answers for "main". */
  app: 'main' | 'companion';
  /** The device: 6 to 128 letters, digits, dots, colons, dashes, underscores. */
  hwid: string;
  /** A token of your own. Only calls with the same zone get the key. */
  zone: string;
  /** The latest time of the server that the app has stored, in seconds. */
  highWater?: number;
  wait?: (seconds: number) => Promise<unknown>;
}

/** Times are in milliseconds since 1970, by the server's clock. */
export type KeyAnswer = { app: string; now: number } & (
  | { status: 'active'; key: string; expiresAt: number }
  | { status: 'in_progress'; step: number; of: number }
  | { status: 'none'; reason?: 'zone' }
  | { status: 'blocked'; until: number | null; reason: string }
);

export interface OnlineVerdict {
  valid: boolean;
  code: string;
  app: string;
  expiresAt: number | null;
  now: number;
}

/** The public keys for the offline check: see verify-key.mjs. */
export interface PublicKeys {
  keys: { kid: string; kty: string; crv: string; x: string }[];
}

/** The body of an error answer. */
interface Problem {
  type: string;
  title: string;
  detail?: string;
  code: string;
  now: number;
}

/** The server refused a call. The page /errors explains each code. */
export class Refusal extends Error {
  readonly code: string;

  constructor({ code, detail, title }: Problem) {
    super(detail ?? title);
    this.code = code;
  }
}

export class KeyClient {
  /** In seconds. Store it in the app, to notice a clock that was set back. */
  highWater: number;
  readonly #options: KeyClientOptions;

  constructor(options: KeyClientOptions) {
    this.#options = options;
    this.highWater = options.highWater ?? 0;
  }

  /** The page to open in the visitor's browser. */
  link(): string {
    const { site, app } = this.#options;
    return `${site}${PAGES[app]}?${this.#who()}`;
  }

  /** Asks for the key once. */
  askForKey(): Promise<KeyAnswer> {
    const query = `${this.#who()}&app=${this.#options.app}`;
    return this.#ask<KeyAnswer>(`/api/key?${query}`);
  }

  /**
   * Asks for the key until the app has something to do. "active": open the
   * app. "blocked": wait until the given time. "none" with the reason "zone":
   * open the page again, because the key was earned with another zone.
   */
  async waitForKey(onAnswer: (answer: KeyAnswer) => void = () => {}): Promise<KeyAnswer> {
    for (;;) {
      const answer = await this.askForKey();
      onAnswer(answer);
      const isOnItsWay = answer.status === 'in_progress' || (answer.status === 'none' && !answer.reason);
      if (!isOnItsWay) return answer;
      await this.#wait(5);
    }
  }

  /** Has the server check a key. Only the server knows of revoked keys. */
  checkOnline(key: string): Promise<OnlineVerdict> {
    const { hwid, app } = this.#options;
    return this.#ask<OnlineVerdict>('/api/key/verify', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ key, hwid, app }),
    });
  }

  /** Fetches the public keys. Ship them with the app; update them online. */
  async publicKeys(): Promise<PublicKeys> {
    const response = await fetch(`${this.#options.site}/.well-known/jwks.json`);
    if (!response.ok) throw new Error(`No public keys: ${response.status}`);
    return (await response.json()) as PublicKeys;
  }

  async #ask<Answer extends { now: number }>(path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = { ...init.headers, 'API-Version': '1' };
    const response = await fetch(this.#options.site + path, { ...init, headers });
    if (response.status === 429 || response.status === 503) {
      await this.#wait(Number(response.headers.get('Retry-After') ?? 30));
      return this.#ask(path, init);
    }

    const answer = (await response.json()) as Answer | Problem;
    this.highWater = Math.max(this.highWater, answer.now / 1000);
    if ('type' in answer) throw new Refusal(answer);
    return answer;
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
