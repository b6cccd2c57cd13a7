import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { createCallProvider } from '#api/foundation/http/call-provider.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { listen } from '#api/test/listen.ts';
import exampleSettings from '#api/product/advertisers/advertisers-settings.example.json' with { type: 'json' };
import type { AdvertisersSettings } from '#api/product/advertisers/advertisers-settings.ts';
import { HWID, LONG_ENOUGH_MS, passCaptcha, clickComplete } from './visitor-steps.ts';

export const HASH = 'a'.repeat(64);

export const TOKEN = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

/** The reply of an advertiser: a text, or a function that does anything else. */
export type Reply = string | ((res: ServerResponse, now: number) => unknown);

export interface Asked {
  method: string | undefined;
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Starts the API, and one local server in place of all advertisers, which replies as the test says. */
export async function createApiWith({ link = '', proof = '' }: { link?: Reply; proof?: Reply }) {
  const asked: Asked[] = [];
  const origin = await listen((req, res) => void answer(req, res));
  const api = await createTestApi({
    advertisers: settingsAt(origin),
    callProvider: createCallProvider({ timeoutMs: 200 }),
  });

  async function answer(...[req, res]: Parameters<RequestListener>) {
    const path = req.url ?? '';
    asked.push({ method: req.method, path, headers: req.headers, body: await text(req) });
    const reply = /anti_bypassing|isValid/.test(path) ? proof : link;
    if (typeof reply === 'string') res.end(reply);
    else reply(res, api.now());
  }

  await passCaptcha(api);
  return { api, asked };
}

/** The accounts of the example file, with all APIs at one address. */
export function settingsAt(apiBase: string): AdvertisersSettings {
  const { linkvertise, workink, lootlabs, rinku } = exampleSettings;
  return {
    linkvertise: { ...linkvertise, apiBase },
    workink: { ...workink, apiBase },
    lootlabs: { ...lootlabs, apiBase },
    rinku: { ...rinku, apiBase },
  };
}

/**
 * Leaves through Linkvertise.
 * @returns the return address, decoded from the link
 */
export async function leaveThroughLinkvertise(api: TestApi, hwid = HWID): Promise<string> {
  const link = new URL(await clickComplete(api, { hwid }));
  api.pass(LONG_ENOUGH_MS);
  return Buffer.from(link.searchParams.get('r') ?? '', 'base64').toString('utf8');
}

/**
 * Puts the run at step 2, where Work.ink is offered, and leaves through it.
 * @returns the return address
 */
export async function leaveThroughWorkink({ api, asked }: Awaited<ReturnType<typeof createApiWith>>): Promise<string> {
  await clickComplete(api);
  await api.db.updateTable('run').set({ step: 2 }).execute();
  await clickComplete(api, { advertiser: 'workink', step: 2 });
  const destination = new URL(asked.at(-1)?.path ?? '', 'https://work.ink').searchParams.get('destination') ?? '';
  api.pass(LONG_ENOUGH_MS);
  return destination.replace('{TOKEN}', TOKEN);
}

export async function attemptStates({ db }: TestApi): Promise<string[]> {
  return (await db.selectFrom('stepAttempt').select('state').orderBy('issuedAt').execute()).map(({ state }) => state);
}

export async function countStrikes({ db }: TestApi): Promise<number> {
  return (await db.selectFrom('strike').selectAll().execute()).length;
}

/** What says that a request was not processed. */
export const DECLINED = [429, 502, 503];

/** Ways to say yes that are read where a link is made, and never where something is proved. */
export const LOOSE: { what: string; send: (res: ServerResponse, reply: string) => unknown }[] = [
  { what: 'a 201', send: (res, reply) => res.writeHead(201).end(reply) },
  { what: 'a 202', send: (res, reply) => res.writeHead(202).end(reply) },
  { what: 'gzip', send: (res, reply) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(reply)) },
];

/** Ways in which any server can fail. */
export const FAILURES: { what: string; reply: Reply }[] = [
  { what: 'a failure of its own', reply: (res) => res.writeHead(500).end('TRUE') },
  { what: 'a redirect', reply: (res) => res.writeHead(302, { location: 'https://evil.example/' }).end() },
  { what: 'silence', reply: () => undefined },
  { what: 'half an answer', reply: (res) => res.writeHead(200, { 'content-length': 100 }).write('TRUE') },
  { what: 'a broken connection', reply: (res) => res.socket?.destroy() },
  { what: '20 KB', reply: 'TRUE'.padEnd(20_000) },
  { what: 'HTML', reply: '<!doctype html><title>TRUE</title>' },
  { what: 'nothing', reply: '' },
  { what: 'bytes that are no text', reply: (res) => res.end(Buffer.from([0xff, 0xfe, 0x54])) },
];
