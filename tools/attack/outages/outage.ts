import { launch, type OwnServer } from '../world/own-server.ts';
import type { Settings } from '../../site/server.ts';

/** A PostgreSQL server. Only a server of our own can be crashed and paused. */
export interface Postgres {
  url: string;
  crash?: () => Promise<void>;
  pause?: () => void;
  resume?: () => void;
}

/** An answer to a visitor. Without an answer, `status` is the text of the error. */
export interface Answer {
  status: number | string;
  headers: Headers;
}

export interface Site {
  url: string;
  /** Its environment variables. */
  own: Settings & { DATA_DIR: string };
  folder: string;
  server: OwnServer;
  /** Notes a finding when the condition is false. */
  expect: (isSo: boolean, what: string) => void;
}

export interface Outage<Where = Site> {
  name: string;
  /** Code that runs in the server before its own. */
  preload?: (folder: string) => string;
  play: (site: Where) => Promise<void>;
  /** Plays and checks the end of the server; by default it has to end cleanly after SIGTERM. */
  afterwards?: (site: Where) => Promise<void>;
}

export type PostgresSite = Site & { postgres: Postgres };

/** How long to wait for an answer, in milliseconds. */
const TIMEOUT_MS = 15_000;
/** Requests at the same time: more than the connection pool has connections. */
const CROWD = 30;

export const STATE = '/api/keysystem/state?hwid=device-1234&zone=zone-1';

/** Sends a request. Never rejects: without an answer, `status` is the text of the error. */
export function ask(url: string, path: string, init: RequestInit = {}): Promise<Answer> {
  return fetch(url + path, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS), ...init }).catch(
    (error: unknown) => ({ status: String(error), headers: new Headers() }),
  );
}

/** Reads of the run state, each for another device. */
export const reads = (url: string) =>
  Array.from({ length: CROWD }, (_, nth) => () => ask(url, STATE.replace('1234', `${nth}234`)));

/**
 * Sends many requests at once that need the database, and asks for the health in between. The health has to be answered
 * at once, and all others with 503 and Retry-After.
 */
export async function expectBusy({ url, expect }: Site, asks: readonly (() => Promise<Answer>)[]): Promise<void> {
  const asking = asks.map((each) => each());
  let isAnswered = false;
  void Promise.race(asking).then(() => (isAnswered = true));
  expect((await ask(url, '/healthz')).status === 200 && !isAnswered, 'health waited for the database');

  for (const { status, headers } of await Promise.all(asking)) {
    expect(
      status === 503 && Number(headers.get('retry-after')) > 0,
      `the answer was ${status}, retry-after ${headers.get('retry-after')}`,
    );
  }
  expect((await ask(url, '/readyz')).status === 503, 'it says that it is ready');
}

/** Expects that the server answers again and is ready. */
export async function expectWell({ url, expect }: Site): Promise<void> {
  expect((await ask(url, STATE)).status === 200, 'afterwards it does not answer');
  expect((await ask(url, '/readyz')).status === 200, 'afterwards it is not ready');
}

/** Expects that a server with these settings does not start, and prints one line that matches `sentence`. */
export async function expectRefused(settings: Settings, sentence: RegExp, expect: Site['expect']): Promise<void> {
  const { code, said } = await launch(settings).ended;
  expect(
    code === 1 && sentence.test(said) && said.trim().split('\n').length === 1,
    `a start was to be refused with ${sentence}, and ended with ${code}: ${said}`,
  );
}
