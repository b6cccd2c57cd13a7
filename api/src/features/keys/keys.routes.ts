import { APP_IDS, type AppId } from '@app/contracts/key-system';
import type { KeyAnswer } from '@app/contracts/key-system-schemas';
import { Router, type Request } from 'express';
import * as v from 'valibot';
import type { ReadRequester, Requester } from '#api/features/devices/requester.ts';
import { parseHwid, parseVisitor, type Visitor } from '#api/features/devices/visitor.ts';
import { jsonBody } from '#api/http/json-body.ts';
import { onlyPost, onlyRead } from '#api/http/only-methods.ts';
import { parse } from '#api/http/parse.ts';
import type { RateLimiter } from '#api/http/rate-limit.ts';
import type { Limits } from '#api/features/key-system/limits.ts';
import type { KeysService } from './keys.service.ts';

const JWKS_MAX_AGE_S = 3600;

const appSchema = v.optional(v.picklist(APP_IDS), 'main');
const verifySchema = v.object({ key: v.pipe(v.string(), v.maxLength(4096)), hwid: v.string() });

interface KeysRoutesDeps {
  keys: KeysService;
  /** What there is to say to a device without a working key. */
  findProgress: (appId: AppId, visitor: Visitor, by: Requester) => Promise<KeyAnswer>;
  requesterOf: ReadRequester;
  limits: Pick<Limits, 'keysPerMinute' | 'keyChecksPerMinute' | 'perAddress'>;
  limiter: RateLimiter;
  now: () => number;
}

export function keysRoutes({ keys, findProgress, requesterOf, limits, limiter, now }: KeysRoutesDeps): Router {
  const router = Router();

  const limitKeys = limiter.byDevice({ name: 'key', max: limits.keysPerMinute }, (req) => parseHwid(req.query['hwid']), limits.perAddress.reads);
  router.get('/key', limitKeys, async (req, res) => {
    const visitor = parseVisitor(req.query);
    const appId = parse(appSchema, req.query['app']);

    const findKey = async (): Promise<KeyAnswer | undefined> => {
      const key = await keys.findActive(appId, visitor);
      return key && { status: 'active', key: key.jws, expiresAt: key.expiresAt, now: now() };
    };

    const found = (await findKey()) ?? (await findProgress(appId, visitor, requesterOf(req)));
    // A run that ended between the two looks has left its key.
    const answer = found.status === 'none' ? ((await findKey()) ?? found) : found;
    res.status(answer.status === 'blocked' ? 403 : 200).json(answer);
  });
  router.all('/key', onlyRead);

  const limitChecks = limiter.byDevice({ name: 'key-check', max: limits.keyChecksPerMinute }, (req) => readCheck(req).hwid, limits.perAddress.reads);
  router.post('/key/verify', jsonBody, limitChecks, async (req, res) => {
    const { key, hwid } = readCheck(req);
    const { code, expiresAt } = await keys.verify(key, hwid);
    res.json({ valid: code === 'VALID', code, expiresAt, now: now() });
  });
  router.all('/key/verify', onlyPost);

  return router;
}

function readCheck({ body }: Request): { key: string; hwid: string } {
  const { key, hwid } = parse(verifySchema, body);
  return { key, hwid: parseHwid(hwid) };
}

/** The public keys, for apps that check a key without asking. */
export function jwksRoutes(keys: KeysService): Router {
  const router = Router();

  router.get('/.well-known/jwks.json', async (_req, res) => {
    const body = JSON.stringify({ keys: await keys.listPublicKeys() });
    res.set('cache-control', `public, max-age=${JWKS_MAX_AGE_S}`).type('application/jwk-set+json').send(body);
  });
  router.all('/.well-known/jwks.json', onlyRead);

  return router;
}
