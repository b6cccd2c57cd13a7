import type { Unit } from '@app/contracts/release';
import type { Request, RequestHandler, Response } from 'express';
import type { Db, DeployTokenRow } from '#api/foundation/db/schema.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import type { RateLimiter } from '#api/foundation/http/rate-limit.ts';
import { hashDeployToken, TOKEN_PREFIX } from './deploy-token.ts';
import { createDeployTokensRepository } from '#api/delivery/registry/deploy-tokens.repository.ts';

/** The use of a token is noted at most so often. */
const NOTED_EVERY_MS = 60_000;

/**
 * Requests of one address in a minute. Wrong tokens are not counted: nobody guesses 192 random bits, and a team shares
 * its network with strangers where its builds run in a cloud.
 */
const REQUESTS = 600;

const BEARER = /^Bearer +(\S+)$/i;

interface Deps {
  db: Db;
  limiter: RateLimiter;
  now: () => number;
}

export type DeployAuth = ReturnType<typeof createDeployAuth>;

/** Makes the handlers that let a request through only with a deploy token. */
export function createDeployAuth({ db, limiter, now }: Deps) {
  const tokens = createDeployTokensRepository(db);
  /** When each token was noted here last. */
  const noted = new Map<string, number>();
  const limit = limiter.byAddress({ name: 'deploy', max: REQUESTS });

  async function readToken(req: Request): Promise<DeployTokenRow> {
    const [, text] = BEARER.exec(req.get('authorization') ?? '') ?? [];
    if (text === undefined) throw new AppError('release.token_unknown', 'The request has no deploy token.');

    const token = text.startsWith(TOKEN_PREFIX) ? await tokens.findByHash(hashDeployToken(text)) : undefined;
    if (!token) throw new AppError('release.token_unknown');
    if (token.revokedAt !== null) throw new AppError('release.token_expired', 'The deploy token was revoked.');
    if (token.expiresAt <= now()) throw new AppError('release.token_expired');
    return token;
  }

  async function admit(req: Request, res: Response, unit: Unit | undefined): Promise<void> {
    const token = await readToken(req).catch((error: unknown) => {
      res.set('www-authenticate', 'Bearer');
      throw error;
    });
    if (unit !== undefined && token.unit !== unit)
      throw new AppError('release.other_unit', `The deploy token is for ${token.unit}, not for ${unit}.`);

    await noteUse(token.id);
    res.locals['deployer'] = token.label;
  }

  /** One request writes it, so those that come meanwhile wait for no lock. */
  async function noteUse(id: string): Promise<void> {
    const since = now() - NOTED_EVERY_MS;
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
    /**
     * Lets requests through that have a token of one unit.
     * @param unitOf the unit of a request; by default its parameter `unit`
     */
    requireToken: (unitOf: (req: Request) => Unit = ({ params }) => String(params['unit'])): RequestHandler =>
      require(unitOf),

    /**
     * Reads the token of a request that was let through once more: an upload takes long, and it may have been revoked.
     * @throws AppError when it is no longer good
     */
    async readAgain(req: Request): Promise<void> {
      await readToken(req);
    },

    /** Lets requests through that have a token of any unit. */
    requireAnyToken: (): RequestHandler => require(() => undefined),
  };
}

/** The label of the token that `requireToken` has let through: who deploys. */
export function deployerOf(res: Response): string {
  return String(res.locals['deployer']);
}
