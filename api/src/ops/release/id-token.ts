import * as v from 'valibot';
import { OpsError } from '#api/ops/command.ts';

const TIMEOUT_MS = 10_000;

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
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new OpsError('The CI gave no ID token: it cannot be reached.', { cause: error });
    });
    const read = v.safeParse(answerSchema, await answer.json().catch(() => undefined));
    if (!answer.ok || !read.success)
      throw new OpsError(`The CI gave no ID token: it answered ${String(answer.status)}.`);
    return read.output.value;
  };
}
