import type { Readable } from 'node:stream';
import { type Problem, problemSchema } from '@app/contracts/problem';
import { deploySessionSchema, movedSchema, publishedSchema, registrySchema } from '@app/contracts/registry';
import * as v from 'valibot';
import { OpsError, UsageError } from '#api/ops/command.ts';
import type { ReleaseSite } from './command.ts';

/** For how long it asks a site again that is busy, stops, or counts too many calls, in seconds. */
const MAX_WAIT_S = 300;

/** How long it waits when the site does not say, in seconds. */
const DEFAULT_RETRY_S = 10;

/** How often a broken upload is sent again. */
const MAX_BROKEN_UPLOADS = 3;

/** More than the list of all releases has. */
const MAX_ANSWER_MB = 16;

/** How long the site may take to answer, in milliseconds. A release has to arrive and to be checked. */
const TIMEOUT_MS = { call: 30_000, publish: 120_000 };

const CONNECTION_ERROR_CODES = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'];
const UNREACHABLE_ERROR_CODES = ['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export interface RetryOptions {
  say: (line: string) => void;
  /** Waits, in seconds. */
  wait: (seconds: number) => Promise<void>;
  /** A clock that never goes back, in seconds. */
  clock: () => number;
}

interface Call extends Omit<RequestInit, 'body'> {
  timeoutMs?: number;
  duplex?: 'half';
  /** Makes the body, anew for each try. */
  body?: () => Readable | string;
  bearer?: () => Promise<string>;
}

/** Asks a busy site again for five minutes. What it says can neither steer the terminal nor look like our line. */
export function openRemoteSite(
  to: string,
  token: string | AskForIdToken | undefined,
  { say, wait, clock }: RetryOptions,
): ReleaseSite {
  const { origin } = readAddress(to);
  if (!token)
    throw new UsageError(
      'Put the deploy token into the environment, as RELEASE_TOKEN. It is no option, because all users of a machine see its command lines. In a CI that the site trusts, let the job have an ID token (docs/teams.md, “From a CI”).',
    );
  /** Whether the site was there during this command: then it restarts when nothing answers. */
  let wasThere = false;
  let session: Promise<string> | undefined;

  /** An ID token works once, and a command makes several calls, which also try again. */
  async function openSession(ask: AskForIdToken): Promise<string> {
    const init = { method: 'POST', bearer: () => ask(origin) };
    return (await call('/api/deploy-sessions', deploySessionSchema, init)).token;
  }
  const bearerOfCalls = async () => (typeof token === 'string' ? token : (session ??= openSession(token)));

  async function call<Schema extends v.GenericSchema>(
    path: string,
    schema: Schema,
    init: Call = {},
  ): Promise<v.InferOutput<Schema>> {
    const until = clock() + MAX_WAIT_S;
    for (let broken = 0; ;) {
      const { status, json, pauseS, failure } = await ask(path, init);
      wasThere ||= status > 0 || isBrokenConnection(failure);
      const answer = v.safeParse(schema, json);
      if (status < 300 && answer.success) return answer.output;

      const problem = v.safeParse(problemSchema, json);
      const isBusy = (status === 429 || status === 503) && problem.success;
      // A busy site may hang up before it has read a release, and then its answer is lost, here or at its proxy.
      const isLost = init.duplex ? isBrokenConnection(failure) || status === 502 : false;
      const isBroken = (isLost || (wasThere && isRefusedConnection(failure))) && ++broken <= MAX_BROKEN_UPLOADS;
      if ((!isBusy && !isBroken) || clock() + pauseS > until)
        throw new OpsError(failure ? describeFailure(failure, origin) : explain(status, json, origin), {
          cause: failure,
        });

      const why = isLost ? describeBroken(origin) : describeRefused(origin);
      say(`${isBusy ? describe(problem.output) : why} Trying again in ${String(pauseS)} s.`);
      await wait(pauseS);
    }
  }

  async function ask(
    path: string,
    { timeoutMs = TIMEOUT_MS.call, headers, body, bearer = bearerOfCalls, ...init }: Call,
  ): Promise<{ status: number; pauseS: number; json?: unknown; failure?: unknown }> {
    try {
      const answer = await fetch(new URL(path, origin), {
        ...init,
        ...(body && { body: body() }),
        headers: { ...headers, authorization: `Bearer ${await bearer()}`, accept: 'application/json' },
        // The token goes to the named address only.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const { status } = answer;
      if (status >= 300 && status < 400)
        throw new OpsError(
          `${origin} leads to ${stripControls(answer.headers.get('location') ?? 'another address')}: name that one.`,
        );
      const pauseS = Math.max(1, Number.parseInt(answer.headers.get('retry-after') ?? '', 10) || DEFAULT_RETRY_S);
      return { status, pauseS, json: readJson(await readText(answer, origin)) };
    } catch (failure) {
      if (failure instanceof OpsError) throw failure;
      return { status: 0, pauseS: DEFAULT_RETRY_S, failure };
    }
  }

  return {
    list: () => call('/api/releases', registrySchema),

    changeChannel: (unit, change) =>
      call(`/api/channels/${unit}`, movedSchema, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: () => JSON.stringify(change),
      }),

    publish: ({ unit, version, pack }, { dryRun, removePages, days }) => {
      const query = new URLSearchParams(removePages.map((path) => ['removePage', path] as [string, string]));
      if (dryRun) query.set('check', '');
      if (days !== undefined) query.set('days', String(days));
      return call(`/api/releases/${unit}/${version}?${String(query)}`, publishedSchema, {
        method: 'PUT',
        headers: { 'content-type': 'application/gzip' },
        body: pack,
        duplex: 'half',
        timeoutMs: TIMEOUT_MS.publish,
      });
    },
  };
}

/** @throws UsageError when the address is malformed, or none for a secret */
export function readAddress(to: string, option = '--to'): URL {
  const url = URL.canParse(to) ? new URL(to) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`${option} is the address of a site, such as https://site.example.`);
  if (url.username || url.password) throw new UsageError(`${option} has no name and no password in it.`);
  if (url.pathname !== '/' || url.search || url.hash)
    throw new UsageError(`${option} is the address of a site, without a path: use ${url.origin}.`);
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw new UsageError(`The deploy token is only sent over https: use https://${url.host}.`);
  return url;
}

function explain(status: number, json: unknown, origin: string): string {
  const read = v.safeParse(problemSchema, json);
  if (!read.success)
    return `${origin} answers with status ${String(status)}, but not as this product does: check the address.`;

  const { problems, ref } = read.output;
  const said = describe(read.output);
  if (problems) return problems.join('\n');
  if (status === 401 && !said.startsWith('The ID token')) return `${said} Check RELEASE_TOKEN.`;
  if (status === 429 || status === 503) return `${said} Type the same again in a while.`;
  return status < 500 ? said : `${said} The site has logged it as ${ref}.`;
}

function describe({ title, detail }: Problem): string {
  return detail ?? `${title}.`;
}

/** @throws OpsError for an answer that is longer than ours */
async function readText({ body }: Response, origin: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let left = MAX_ANSWER_MB * 1024 * 1024;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    left -= part.length;
    if (left < 0)
      throw new OpsError(
        `${origin} answers with more than ${MAX_ANSWER_MB} MB, and not as this product does: check the address.`,
      );
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** JSON whose texts can be printed. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown) => (typeof value === 'string' ? stripControls(value) : value));
  } catch {
    return undefined;
  }
}

/** A text without what a terminal obeys and what reorders a line. It has further lines only where these are indented: a stack. */
function stripControls(text: string): string {
  return text.replaceAll(/\n(?! )|(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}

export function describeFailure(error: unknown, origin: string): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `${origin} did not answer in time. Type the same again: what is done already is not done twice.`;

  const code = findCode(error);
  if (isRefusedConnection(error)) return `${describeRefused(origin)} Is the site running there?`;
  if (UNREACHABLE_ERROR_CODES.includes(code))
    return `${new URL(origin).hostname} cannot be found (${code}): check --to, and the network.`;
  if (isBrokenConnection(error))
    return `${describeBroken(origin)} Type the same again: what is done already is not done twice.`;
  if (/CERT|SIGNED|ALTNAME|ISSUER/.test(code)) return `The certificate of ${origin} is not valid (${code}).`;
  if (/SSL|TLS/.test(code)) return `${origin} does not speak https (${code}).`;
  return `${origin} cannot be reached (${code || String(error)}).`;
}

function isBrokenConnection(error: unknown): boolean {
  return CONNECTION_ERROR_CODES.includes(findCode(error));
}

function isRefusedConnection(error: unknown): boolean {
  return findCode(error) === 'ECONNREFUSED';
}

function describeRefused(origin: string): string {
  return `Nothing answers at ${origin}.`;
}

function describeBroken(origin: string): string {
  return `The connection to ${origin} broke before the answer.`;
}

/** The code of an error, or of what has caused it. */
function findCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return findCode(error.cause ?? first);
}

const answerSchema = v.object({ value: v.pipe(v.string(), v.minLength(1)) });

/** Gives a token of a CI job for a site, which it knows by its origin. */
export type AskForIdToken = (audience: string) => Promise<string>;

/** GitLab puts a token into the environment; GitHub makes one whenever it is asked. Undefined without a CI. */
export function findIdToken(env: Readonly<Record<string, string | undefined>>): AskForIdToken | undefined {
  const { RELEASE_ID_TOKEN: given, ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer } = env;
  if (given) return () => Promise.resolve(given);
  if (!url || !bearer) return undefined;

  return async (audience) => {
    const address = new URL(url);
    address.searchParams.set('audience', audience);
    const answer = await fetch(address, {
      headers: { authorization: `Bearer ${bearer}`, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    }).catch((error: unknown) => {
      throw new OpsError('The CI gave no ID token: it cannot be reached.', { cause: error });
    });
    const read = v.safeParse(answerSchema, await answer.json().catch(() => undefined));
    if (!answer.ok || !read.success)
      throw new OpsError(`The CI gave no ID token: it answered ${String(answer.status)}.`);
    return read.output.value;
  };
}
