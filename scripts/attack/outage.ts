import { launch, type OwnServer } from './own-server.ts';
import type { Settings } from './server.ts';

/** A PostgreSQL; one of our own can be crashed and stopped. */
export interface Postgres {
  url: string;
  crash?: () => Promise<void>;
  pause?: () => void;
  resume?: () => void;
}

/** What a visitor reads of an answer; in place of the status may be why none came. */
export interface Answer {
  status: number | string;
  headers: Headers;
}

/** A server in an outage. */
export interface Site {
  url: string;
  /** Its environment. */
  own: Settings & { DATA_DIR: string };
  folder: string;
  server: OwnServer;
  /** Notes what is not so. */
  expect: (isSo: boolean, what: string) => void;
}

export interface Outage<Where = Site> {
  name: string;
  /** Code that runs in the server before its own. */
  preload?: (folder: string) => string;
  play: (site: Where) => Promise<void>;
  /** How the server ends, where that is not in good order after SIGTERM. */
  afterwards?: (site: Where) => Promise<void>;
}

export type PostgresSite = Site & { postgres: Postgres };

/** An answer that takes longer has not come; milliseconds. */
const PATIENCE_MS = 15_000;
/** Requests at once: more than a pool has connections. */
const CROWD = 30;

export const STATE = '/api/keysystem/state?hwid=device-1234&zone=zone-1';

export function ask(url: string, path: string, init: RequestInit = {}): Promise<Answer> {
  return fetch(url + path, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS), ...init }).catch(
    (error: unknown) => ({ status: String(error), headers: new Headers() }),
  );
}

/** As many as a crowd asks for, each for another device. */
export const reads = (url: string) =>
  Array.from({ length: CROWD }, (_, nth) => () => ask(url, STATE.replace('1234', `${nth}234`)));

/** Many at once ask for what cannot be had, and somebody for the process's health in between. */
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

export async function expectWell({ url, expect }: Site): Promise<void> {
  expect((await ask(url, STATE)).status === 200, 'afterwards it does not answer');
  expect((await ask(url, '/readyz')).status === 200, 'afterwards it is not ready');
}

export async function expectRefused(settings: Settings, sentence: RegExp, expect: Site['expect']): Promise<void> {
  const { code, said } = await launch(settings).ended;
  expect(
    code === 1 && sentence.test(said) && said.trim().split('\n').length === 1,
    `a start was to be refused with ${sentence}, and ended with ${code}: ${said}`,
  );
}
