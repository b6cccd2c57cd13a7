import express from 'express';
import { expect } from 'vitest';
import { createOidcIdentities } from '#api/delivery/deploy-tokens/oidc-identity.ts';
import { createDeployAuth, deployerOf } from '#api/delivery/deploy-tokens/deploy-tokens.ts';
import { createTrustedPublishersRepository } from '#api/delivery/deploy-tokens/deploy-tokens.repository.ts';
import { addTrustedPublisher, type TrustedPublisher } from '#api/delivery/deploy-tokens/trusted-publishers.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { handleError } from '#api/foundation/http/handle-error.ts';
import { createRateLimiter } from '#api/foundation/http/rate-limit.ts';
import { listen } from '#api/test/listen.ts';
import { startFakeIssuer } from './fake-issuer.ts';

const AT = Date.parse('2026-12-01T12:00Z');
const ACT = { by: 'olga', at: AT };

export const ADMITTED_JOB = '200 org/tools, run 4711, 0a1b2c3d4e5f';
export const UNVERIFIED = '401 release.token_unknown The ID token is not accepted. It could not be verified.';

/** A site that trusts the CI of `org/tools`, unless `trust` is null, and the issuer of its ID tokens. */
export async function createTrustingSite(
  db: Db,
  {
    trust = {},
    audience = 'http://site.example',
    restMs = 60_000,
    timeoutMs = 5000,
  }: { trust?: Partial<TrustedPublisher> | null; audience?: string; restMs?: number; timeoutMs?: number } = {},
) {
  let time = AT;
  const issuer = await startFakeIssuer(audience, () => time);
  const given: TrustedPublisher = {
    unit: 'tools',
    issuer: issuer.issuer,
    repository: 'org/tools',
    ref: 'refs/heads/main',
    environment: null,
    ...trust,
  };
  if (trust) expect(await addTrustedPublisher({ db: db }, given, ACT)).toHaveProperty('id');
  const identities = createOidcIdentities({
    audience: () => audience,
    pepper: 'pepper',
    now: () => time,
    timeoutMs,
    restMs,
  });
  const limiter = createRateLimiter({ now: () => time, trustedHops: 0 });
  const auth = createDeployAuth({ db: db, limiter, now: () => time, identities });
  const url = await listen(
    express()
      .put('/:unit/:version', auth.requireToken(), (_req, res) => res.send(deployerOf(res)))
      .patch('/:unit', auth.requireToken(), (_req, res) => res.send(deployerOf(res)))
      .get('/', auth.requireAnyToken(), (_req, res) => res.send(deployerOf(res)))
      .post('/', auth.requireAnyToken(), async (_req, res) => res.send((await auth.openSession(res)).token))
      .post('/:unit/slow', auth.requireToken(), async (req, res) => {
        await auth.readAgain(req);
        res.send(deployerOf(res));
      })
      .use(handleError(() => undefined)),
  );
  return {
    ...issuer,
    given,
    trust: createTrustedPublishersRepository(db),
    /** A session of a site with another secret. */
    signAsSite: async (pepper: string) => {
      const { identity } = await identities.verify(await issuer.sign(), issuer.issuer);
      const other = createOidcIdentities({ audience: () => audience, pepper, now: () => time });
      return (await other.openSession({ identity, trusted: [] })).token;
    },
    pass: (ms: number) => (time += ms),
    send: async (token: string, path = '/tools/0.2.0', method = 'PUT') => {
      const answer = await fetch(url + path, { method, headers: { authorization: `Bearer ${token}` } });
      const text = await answer.text();
      if (answer.status === 503) expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      if (answer.ok) return `${String(answer.status)} ${text}`;
      const { code, detail } = JSON.parse(text) as { code: string; detail?: string };
      return [answer.status, code, detail].filter(Boolean).join(' ');
    },
  };
}
