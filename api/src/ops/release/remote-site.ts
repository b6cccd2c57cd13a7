import { problemSchema } from '@app/contracts/problem';
import { movedSchema, publishedSchema, registrySchema } from '@app/contracts/registry';
import * as v from 'valibot';
import { OpsError, UsageError } from '#api/ops/command.ts';
import { describeFailure } from './describe-failure.ts';
import type { ReleaseSite } from './release-site.ts';

/** How long the site may take to answer, in milliseconds. A release has to arrive and to be checked. */
const TIMEOUT_MS = { call: 30_000, publish: 120_000 };

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * A site that is reached over HTTP.
 * @param to its address
 * @param token the deploy token
 * @throws UsageError when the address is malformed, or the token could be read on its way there
 */
export function openRemoteSite(to: string, token: string | undefined): ReleaseSite {
  const { origin } = readAddress(to);
  if (!token)
    throw new UsageError(
      'Put the deploy token into the environment, as RELEASE_TOKEN. It is no option, because all users of a machine see its command lines.',
    );

  async function call<Schema extends v.GenericSchema>(
    path: string,
    schema: Schema,
    { timeoutMs = TIMEOUT_MS.call, headers, ...init }: RequestInit & { timeoutMs?: number; duplex?: 'half' } = {},
  ): Promise<v.InferOutput<Schema>> {
    let status: number;
    let text: string;
    try {
      const answer = await fetch(new URL(path, origin), {
        ...init,
        headers: { ...headers, authorization: `Bearer ${token ?? ''}`, accept: 'application/json' },
        // The token goes to the named address only.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      ({ status } = answer);
      if (status >= 300 && status < 400)
        throw new OpsError(`${origin} leads to ${answer.headers.get('location') ?? 'another address'}: name that one.`);
      text = await answer.text();
    } catch (error) {
      if (error instanceof OpsError) throw error;
      throw new OpsError(describeFailure(error, origin), { cause: error });
    }

    const json = readJson(text);
    const answer = v.safeParse(schema, json);
    if (status < 300 && answer.success) return answer.output;
    throw new OpsError(explain(status, json, origin));
  }

  return {
    list: () => call('/api/releases', registrySchema),

    changeChannel: (unit, change) =>
      call(`/api/channels/${unit}`, movedSchema, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(change),
      }),

    publish: ({ unit, version, pack }, { isRehearsal, removePages }) => {
      const query = new URLSearchParams(removePages.map((path) => ['removePage', path] as [string, string]));
      if (isRehearsal) query.set('check', '');
      return call(`/api/releases/${unit}/${version}?${String(query)}`, publishedSchema, {
        method: 'PUT',
        headers: { 'content-type': 'application/gzip' },
        body: pack(),
        duplex: 'half',
        timeoutMs: TIMEOUT_MS.publish,
      });
    },
  };
}

function readAddress(to: string): URL {
  const url = URL.canParse(to) ? new URL(to) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError('--to is the address of a site, such as https://site.example.');
  if (url.username || url.password) throw new UsageError('--to has no name and no password in it.');
  if (url.pathname !== '/' || url.search || url.hash)
    throw new UsageError(`--to is the address of a site, without a path: use ${url.origin}.`);
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw new UsageError(`The deploy token is only sent over https: use https://${url.host}.`);
  return url;
}

/** Why a site did not do what the command says, a line for each problem. */
function explain(status: number, json: unknown, origin: string): string {
  const read = v.safeParse(problemSchema, json);
  if (!read.success)
    return `${origin} answers with status ${String(status)}, but not as this product does: check the address.`;

  const { title, detail, problems, ref } = read.output;
  if (problems) return problems.join('\n');
  if (status === 401) return `${detail ?? `${title}.`} Check RELEASE_TOKEN.`;
  if (status === 429 || status === 503) return `${detail ?? `${title}.`} Type the same again in a moment.`;
  if (status < 500) return detail ?? `${title}.`;
  return `${detail ?? `${title}.`} The site has logged it as ${ref}.`;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
