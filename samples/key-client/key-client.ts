/**
 * What an app does with the key system: open its page, wait for the key,
 * check a key with the server. No dependencies; runs wherever there is fetch.
 */

const PAGES = { main: '/key-system-1', companion: '/rosaverx/key-system-1' };

export interface KeyClientOptions {
  /** The address of the site, without a slash at its end. */
  site: string;
  /** Always say which app you are: without it the server answers for "main". */
  app: 'main' | 'companion';
  /** The device: 6 to 128 letters, digits, dots, colons, dashes, underscores. */
  hwid: string;
  /** A word of your own. The key is given to whoever asks with the same one. */
  zone: string;
  /** The latest server's time that you kept, in seconds. */
  highWater?: number;
  wait?: (seconds: number) => Promise<unknown>;
}

/** Times are milliseconds since 1970, by the server's clock. */
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

/** To be handed to the offline check: see verify-key.mjs. */
export interface PublicKeys {
  keys: { kid: string; kty: string; crv: string; x: string }[];
}

/** The body of a refusal. */
interface Problem {
  type: string;
  title: string;
  detail?: string;
  code: string;
  now: number;
}

/** The server refused the question; /errors says what each code means. */
export class Refusal extends Error {
  readonly code: string;

  constructor({ code, detail, title }: Problem) {
    super(detail ?? title);
    this.code = code;
  }
}

export class KeyClient {
  /** Keep it with the app: a clock set back behind it is noticed. Seconds. */
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

  /** Asks once. */
  askForKey(): Promise<KeyAnswer> {
    const query = `${this.#who()}&app=${this.#options.app}`;
    return this.#ask<KeyAnswer>(`/api/key?${query}`);
  }

  /**
   * Asks until there is something to do: "active" opens the app, "blocked"
   * says until when to wait, "none" with the reason "zone" needs the page
   * opened again, since the key was earned with another zone.
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

  /** Only the server knows of a key that was withdrawn. */
  checkOnline(key: string): Promise<OnlineVerdict> {
    const { hwid, app } = this.#options;
    return this.#ask<OnlineVerdict>('/api/key/verify', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ key, hwid, app }),
    });
  }

  /** What keys are checked with offline. Ship it, and refresh it when you can. */
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
