import { isPreview } from '@app/contracts/release';
import type { Unit } from '@app/contracts/unit';
import type { Request, RequestHandler, Response } from 'express';
import { createChannelsRepository } from '#api/delivery/registry/registry.repository.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { transact } from '#api/foundation/audit/transact.ts';
import {
  type CreatedToken,
  createBearerToken,
  hashBearerToken,
  readBearer,
} from '#api/foundation/crypto/bearer-token.ts';
import type { Db, DeployTokenRow, TrustedCiRow } from '#api/foundation/db/schema.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import type { RateLimiter } from '#api/foundation/http/rate-limit.ts';
import { createDeployTokensRepository, createTrustedPublishersRepository } from './deploy-tokens.repository.ts';
import { type OidcIdentities, type OidcIdentity, type DeploySession, readIssuer } from './oidc-identity.ts';
import { pinTrustedPublishers, readTrustedPublishers } from './trusted-publishers.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** @returns undefined when there is no such unit */
export function createDeployToken(
  { db }: { db: Db },
  { unit, label, days }: { unit: Unit; label: string; days: number },
  { by, at }: Act,
): Promise<CreatedToken | undefined> {
  const needs = { channels: createChannelsRepository, deployTokens: createDeployTokensRepository };
  return transact(db, needs, async (tx) => {
    if (!(await tx.channels.find(unit))) return undefined;

    const { id, token, hash } = createBearerToken('deploy_');
    const expiresAt = at + days * DAY_MS;
    await tx.deployTokens.add({ id, unit, hash, label, createdAt: at, createdBy: by, expiresAt });
    tx.record({
      at,
      kind: 'deploy_token',
      code: 'created',
      subject: null,
      detail: { id, unit, label, until: new Date(expiresAt).toISOString(), by },
    });
    return { id, token, expiresAt };
  });
}

/** @returns undefined when no token that works has this id */
export function revokeDeployToken(
  { db }: { db: Db },
  id: string,
  { by, at }: Act,
): Promise<DeployTokenRow | undefined> {
  return transact(db, { deployTokens: createDeployTokensRepository }, async (tx) => {
    const revoked = await tx.deployTokens.revoke(id, at);
    if (!revoked) return undefined;

    const { unit, label } = revoked;
    tx.record({ at, kind: 'deploy_token', code: 'revoked', subject: null, detail: { id, unit, label, by } });
    return revoked;
  });
}

/** How often the use of a token is noted at most. */
const USE_RECORD_INTERVAL_MS = 60_000;

/** Of one address in a minute. Wrong tokens do not count more: nobody guesses 192 bits, and clouds share networks. */
const MAX_REQUESTS_PER_MINUTE = 600;

interface Deps {
  db: Db;
  limiter: RateLimiter;
  now: () => number;
  identities: OidcIdentities;
}

/** Who sends a request, and what they may do with which units. */
interface Deployer {
  label: string;
  rights: ReadonlyMap<Unit, 'all' | 'previews'>;
  token?: DeployTokenRow;
  identity?: OidcIdentity;
  trusted: readonly TrustedCiRow[];
}

export type DeployAuth = ReturnType<typeof createDeployAuth>;

/** Makes the handlers that let a request through only with a deploy token, or the ID token of a trusted CI job. */
export function createDeployAuth({ db, limiter, now, identities }: Deps) {
  const tokens = createDeployTokensRepository(db);
  const trustedPublishers = createTrustedPublishersRepository(db);
  const noted = new Map<string, number>();
  const limit = limiter.byAddress({ name: 'deploy', max: MAX_REQUESTS_PER_MINUTE });

  /** @param isAgain whether the request was admitted before, and only what it may do is asked again */
  async function readDeployer(req: Request, isAgain = false): Promise<Deployer> {
    const text = readBearer(req.get('authorization'));
    if (text === undefined) throw new AppError('release.token_unknown', 'The request has no deploy token.');

    const hash = hashBearerToken('deploy_', text);
    const issuer = hash === undefined ? readIssuer(text) : undefined;
    if (issuer !== undefined) return readJob(text, issuer, isAgain);

    const token = hash && (await tokens.findByHash(hash));
    if (!token) throw new AppError('release.token_unknown');
    if (token.revokedAt !== null) throw new AppError('release.token_expired', 'The deploy token was revoked.');
    if (token.expiresAt <= now()) throw new AppError('release.token_expired');
    return { label: token.label, rights: new Map([[token.unit, 'all']]), token, trusted: [] };
  }

  async function readJob(text: string, issuer: string, isAgain: boolean): Promise<Deployer> {
    if (identities.isOwn(issuer)) {
      const { identity, trusted } = await identities.readSession(text);
      return admitJob(identity, ({ id }) => trusted.includes(id));
    }
    if ((await trustedPublishers.list(issuer)).length === 0)
      throw new AppError('release.not_trusted', 'No operator of this site trusts the issuer of this ID token.');

    const { identity, jti, madeAt, endsAt } = await identities.verify(text, issuer);
    const deployer = await admitJob(identity, ({ createdAt }) => createdAt <= madeAt);
    if (!isAgain && !(await trustedPublishers.useToken({ issuer, jti, endsAt })))
      throw new AppError(
        'release.token_expired',
        'The ID token was used before, and works once. Ask the CI for another one, or get a session for several calls.',
      );
    return { ...deployer, identity };
  }

  /** @param isOld whether something was trusted already when the job got what it sends */
  async function admitJob(identity: OidcIdentity, isOld: (row: TrustedCiRow) => boolean): Promise<Deployer> {
    const trusted = await readTrustedPublishers(db, identity, isOld);
    const { repository, ref, environment, isForReview, label } = identity;
    const where = environment === null ? ref : `${ref} in ${environment}`;
    if (trusted.length === 0)
      throw new AppError('release.not_trusted', `Nobody trusts ${repository} at ${where} here.`);
    const rights = new Map(trusted.map(({ unit }) => [unit, isForReview ? 'previews' : 'all'] as const));
    return { label, rights, trusted };
  }

  /** @param unit the one that the request is about, if it is about one */
  async function authorize(req: Request, unit: Unit | undefined, isAgain = false): Promise<Deployer> {
    const deployer = await readDeployer(req, isAgain);
    const { label, rights, token, identity, trusted } = deployer;
    const right = unit === undefined ? 'all' : rights.get(unit);
    if (right === undefined && token)
      throw new AppError('release.other_unit', `The deploy token is for ${token.unit}, not for ${String(unit)}.`);
    if (right === undefined)
      throw new AppError('release.not_trusted', `${label}: it is trusted with ${[...rights.keys()].join(', ')} only.`);
    if (right === 'previews' && !isPreviewOrCheck(req))
      throw new AppError('release.not_trusted', 'A pull request may only check, and publish previews.');
    if (identity) await pinTrustedPublishers({ db }, trusted, identity, now());
    return deployer;
  }

  async function admit(req: Request, res: Response, unit: Unit | undefined): Promise<void> {
    const { label, token, identity, trusted } = await authorize(req, unit).catch((error: unknown) => {
      if (error instanceof AppError && error.status === 401) res.set('www-authenticate', 'Bearer');
      throw error;
    });
    if (token) await noteUse(token.id);
    res.locals['deployer'] = label;
    if (identity) res.locals['job'] = { identity, trusted: trusted.map(({ id }) => id) } satisfies DeploySession;
  }

  /** One request writes it, so that concurrent ones do not wait for a lock. */
  async function noteUse(id: string): Promise<void> {
    const since = now() - USE_RECORD_INTERVAL_MS;
    if ((noted.get(id) ?? 0) > since) return;

    noted.set(id, now());
    await tokens.noteUse(id, now(), since);
  }

  const require =
    (unitOf: (req: Request) => Unit | undefined): RequestHandler =>
    (req, res, next) =>
      void limit(req, res, (refusal?: unknown) => {
        if (refusal !== undefined) return next(refusal);
        admit(req, res, unitOf(req)).then(() => next(), next);
      });

  return {
    requireToken: (): RequestHandler => require(({ params }) => String(params['unit'])),

    /** Checks the token again after an upload, which takes long: it may have been revoked meanwhile. */
    async readAgain(req: Request): Promise<void> {
      await authorize(req, String(req.params['unit']), true);
    },

    requireAnyToken: (): RequestHandler => require(() => undefined),

    /** @throws AppError for another than an ID token: no session makes another, and a deploy token needs none */
    openSession(res: Response): Promise<{ token: string; expiresAt: number }> {
      const job = res.locals['job'] as DeploySession | undefined;
      if (!job) throw new AppError('release.token_unknown', 'Only the ID token of a CI opens a session.');
      return identities.openSession(job);
    },
  };
}

/** Whether a publication reaches no visitor, whatever is published. */
function isPreviewOrCheck({ method, params, query }: Request): boolean {
  return method === 'PUT' && (isPreview(String(params['version'])) || query['check'] !== undefined);
}

export function deployerOf(res: Response): string {
  return String(res.locals['deployer']);
}
