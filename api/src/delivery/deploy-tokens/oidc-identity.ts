import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  type JWTPayload,
  jwtVerify,
  type RemoteJWKSet,
  SignJWT,
} from 'jose';
import * as v from 'valibot';
import { deriveSecret } from '#api/foundation/crypto/secrets.ts';
import { AppError } from '#api/foundation/http/app-error.ts';

const identitySchema = v.object({
  issuer: v.string(),
  repository: v.string(),
  /** Numbers that stay when a name changes: the repository's, and that of who owns it. Null where the issuer gives none. */
  repositoryId: v.nullable(v.string()),
  ownerId: v.nullable(v.string()),
  /** The branch or tag, such as `refs/heads/main`. */
  ref: v.string(),
  environment: v.nullable(v.string()),
  isForReview: v.boolean(),
  /** Names the repository, the run and the commit in the audit. */
  label: v.string(),
});

export type OidcIdentity = v.InferOutput<typeof identitySchema>;

/** A job, and the ids of what was trusted with it when the session was opened: what is trusted since is not for it. */
const sessionSchema = v.object({ identity: identitySchema, trusted: v.array(v.string()) });

export type DeploySession = v.InferOutput<typeof sessionSchema>;

/** An ID token that is valid here, and names a job. It may be used once. */
interface VerifiedToken {
  identity: OidcIdentity;
  jti: string;
  /** The latest moment at which it may have been made, in epoch milliseconds. */
  madeAt: number;
  /** When no server takes it any more, in epoch milliseconds. */
  endsAt: number;
}

/** An ID token may last no longer. What leaks of a job is worthless soon. */
const MAX_TOKEN_LIFETIME_S = 60 * 60;

/** How long a job has what it got for its ID token: as long as the calls of one command may take. */
const SESSION_TTL_MS = 15 * 60 * 1000;

/** Signs sessions. Their key is a secret of this site, unlike those of an issuer. */
const SESSION_ALGORITHM = 'HS256';

/** The clocks of the issuer and of this server may differ by so much. */
const CLOCK_TOLERANCE_S = 30;

/** Asymmetric ones alone: with HS256 the public key would be a secret that everybody has. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];

const MAX_TOKEN_LENGTH = 8192;

/** How long an issuer may take to answer, and how much of an answer is read. */
const RESPONSE_TIMEOUT_MS = 5000;
const MAX_RESPONSE_BYTES = 256 * 1024;

/** How long failed addresses and fresh keys are left alone, so that bad tokens cannot make us hammer the issuer. */
const REFETCH_INTERVAL_MS = 10_000;

/** How long it is believed where an issuer has its keys. The keys themselves are read again after ten minutes. */
const DISCOVERY_TTL_MS = 60 * 60 * 1000;

const text = v.optional(v.pipe(v.string(), v.regex(/^[^\p{Cc}]{1,255}$/u)));
const number = v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.regex(/^\w{1,40}$/)));

/** The claims of GitHub, and those of GitLab. */
const claimsSchema = v.object({
  jti: text,
  repository: text,
  repository_id: number,
  repository_owner_id: number,
  ref: text,
  event_name: text,
  run_id: number,
  project_path: text,
  project_id: number,
  namespace_id: number,
  ref_path: text,
  pipeline_source: text,
  job_id: number,
  environment: text,
  sha: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{7,64}$/))),
});

/** GitLab's `ref` does not say whether it is a branch or a tag. */
const CLAIM_NAMES = {
  github: ['repository', 'ref', 'event_name', 'run_id', 'repository_id', 'repository_owner_id'],
  gitlab: ['project_path', 'ref_path', 'pipeline_source', 'job_id', 'project_id', 'namespace_id'],
} as const;

/** Where an issuer has its keys: at its own origin, so that it cannot make us ask another server. */
const discoverySchema = (issuer: string) =>
  v.object({
    issuer: v.literal(issuer),
    jwks_uri: v.pipe(
      v.string(),
      v.check((url) => URL.canParse(url) && new URL(url).origin === new URL(issuer).origin),
    ),
  });

const keysSchema = v.looseObject({ keys: v.array(v.looseObject({ kty: v.string() })) });

interface Deps {
  audience: () => string;
  /** The master secret, of which the one for sessions is derived. */
  pepper: string;
  now: () => number;
  timeoutMs?: number;
  restMs?: number;
}

export type OidcIdentities = ReturnType<typeof createOidcIdentities>;

/** Verifies the ID tokens of CI jobs (OpenID Connect) with the keys that their issuer has at its own origin. */
export function createOidcIdentities({
  audience,
  pepper,
  now,
  timeoutMs = RESPONSE_TIMEOUT_MS,
  restMs = REFETCH_INTERVAL_MS,
}: Deps) {
  const secret = deriveSecret(pepper, 'deploy session');
  const fetchChecked = createFetchChecked(restMs);
  const discovered = new Map<string, { at: number; keys: RemoteJWKSet }>();

  async function discover(issuer: string): Promise<RemoteJWKSet> {
    const known = discovered.get(issuer);
    if (known && performance.now() - known.at < DISCOVERY_TTL_MS) return known.keys;

    // A site at https has secrets to lose on the way.
    if (issuer.startsWith('http:') && audience().startsWith('https:')) throw new Error(`${issuer} is not at https`);
    const { jwks_uri: address } = await fetchChecked(
      `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      AbortSignal.timeout(timeoutMs),
      discoverySchema(issuer),
    );
    const keys = createRemoteJWKSet(new URL(address), {
      timeoutDuration: timeoutMs,
      cooldownDuration: restMs,
      [customFetch]: async (url, { signal }) => Response.json(await fetchChecked(url, signal, keysSchema)),
    });
    discovered.set(issuer, { at: performance.now(), keys });
    return keys;
  }

  return {
    /** Whether the named issuer is this site: then a text may be a session, and is no ID token. */
    isOwn: (issuer: string) => issuer === audience(),

    /** Makes what a job sends with its calls instead of its ID token. */
    async openSession(job: DeploySession): Promise<{ token: string; expiresAt: number }> {
      const expiresAt = now() + SESSION_TTL_MS;
      const token = await new SignJWT({ job })
        .setProtectedHeader({ alg: SESSION_ALGORITHM })
        .setIssuer(audience())
        .setExpirationTime(new Date(expiresAt))
        .sign(secret);
      return { token, expiresAt };
    },

    async readSession(token: string): Promise<DeploySession> {
      const { payload } = await jwtVerify(token, secret, {
        issuer: audience(),
        algorithms: [SESSION_ALGORITHM],
        requiredClaims: ['exp'],
        currentDate: new Date(now()),
      }).catch((error: unknown) => {
        throw describeTokenError(error, audience());
      });
      return v.parse(sessionSchema, payload['job']);
    },

    /** Reads a token whose issuer an operator trusts; no other is ever asked. */
    async verify(token: string, issuer: string): Promise<VerifiedToken> {
      const { payload } = await jwtVerify(
        token,
        async (header, jws) => {
          let areFresh = false;
          try {
            const find = await discover(issuer);
            areFresh = find.coolingDown;
            return await find(header, jws);
          } catch (error) {
            const isUnknown = error instanceof errors.JWKSNoMatchingKey;
            if ((isUnknown && !areFresh) || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
            // The issuer may have made the key since. It is asked again once the rest is over.
            const why = isUnknown ? 'were read before this token’s' : 'cannot be read right now';
            throw new AppError('server.busy', `The keys of ${issuer} ${why}.`, { cause: error });
          }
        },
        {
          issuer,
          audience: audience(),
          algorithms: ALGORITHMS,
          requiredClaims: ['exp', 'iat'],
          maxTokenAge: MAX_TOKEN_LIFETIME_S,
          clockTolerance: CLOCK_TOLERANCE_S,
          currentDate: new Date(now()),
        },
      ).catch((error: unknown) => {
        throw describeTokenError(error, audience());
      });
      return readClaims(payload, issuer);
    },
  };
}

/** The issuer that a text names, before anything in it is verified; undefined when it is no ID token. */
export function readIssuer(token: string): string | undefined {
  if (token.length > MAX_TOKEN_LENGTH) return undefined;
  try {
    const { iss } = decodeJwt(token);
    return typeof iss === 'string' && /^https?:\/\/[\x21-\x7e]+$/.test(iss) ? iss : undefined;
  } catch {
    return undefined;
  }
}

/** Makes what fetches short JSON, follows no redirect, and leaves an address that failed alone for a while. */
function createFetchChecked(restMs: number) {
  const failedAt = new Map<string, number>();

  return async <Schema extends v.GenericSchema>(
    url: string,
    signal: AbortSignal,
    schema: Schema,
  ): Promise<v.InferOutput<Schema>> => {
    if (performance.now() - (failedAt.get(url) ?? -Infinity) < restMs) throw new Error(`${url} has just failed`);
    try {
      const answer = v.parse(schema, JSON.parse(await fetchLimited(url, signal)));
      failedAt.delete(url);
      return answer;
    } catch (error) {
      failedAt.set(url, performance.now());
      throw error;
    }
  };
}

async function fetchLimited(url: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  if (answer.status !== 200) throw new Error(`${url} answered ${String(answer.status)}`);

  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    if ((bytes += chunk.byteLength) > MAX_RESPONSE_BYTES) throw new Error(`${url} answered at too great a length`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readClaims(payload: JWTPayload, issuer: string): VerifiedToken {
  const { aud, exp = 0, iat = 0 } = payload;
  // Others for whom the token is valid, too, could use it here.
  if (Array.isArray(aud) && aud.length !== 1) throw refuseToken('It is for several audiences.');
  if (exp - iat > MAX_TOKEN_LIFETIME_S) throw refuseToken('It lasts longer than an hour.');

  const read = v.safeParse(claimsSchema, payload);
  const claims = read.success ? read.output : {};
  const names = claims.repository === undefined ? CLAIM_NAMES.gitlab : CLAIM_NAMES.github;
  const [repository, ref, event, run, repositoryId = null, ownerId = null] = names.map((name) => claims[name]);
  if (repository === undefined || ref === undefined || event === undefined)
    throw refuseToken('It does not say repository, ref and event.');

  if (claims.jti === undefined) throw refuseToken('It has no id (jti), by which it would be used once.');

  const commit = claims.sha?.slice(0, 12) ?? 'an unknown commit';
  const identity = {
    issuer,
    repository,
    repositoryId,
    ownerId,
    ref,
    environment: claims.environment ?? null,
    isForReview: !BRANCH_EVENTS.includes(event),
    label: `${repository}, run ${run ?? 'unknown'}, ${commit}`,
  };
  // Another server's clock may be behind this one's as well.
  return {
    identity,
    jti: claims.jti,
    madeAt: (iat + CLOCK_TOLERANCE_S) * 1000,
    endsAt: (exp + 2 * CLOCK_TOLERANCE_S) * 1000,
  };
}

/** The events that only people with the right to push cause. Others may build what a stranger's request changes. */
const BRANCH_EVENTS = ['push', 'workflow_dispatch', 'schedule', 'release', 'web', 'api', 'pipeline', 'trigger'];

function refuseToken(why: string, cause?: unknown): AppError {
  return new AppError('release.token_unknown', `The ID token is not accepted. ${why}`, { cause });
}

function describeTokenError(error: unknown, audience: string): unknown {
  if (error instanceof errors.JWTExpired) return new AppError('release.token_expired', 'The ID token has expired.');
  if (error instanceof errors.JWTClaimValidationFailed)
    return refuseToken(
      error.claim === 'aud' ? `Its audience is not ${audience}.` : `Its ${error.claim} is not right.`,
      error,
    );
  return error instanceof errors.JOSEError ? refuseToken('It could not be verified.', error) : error;
}
