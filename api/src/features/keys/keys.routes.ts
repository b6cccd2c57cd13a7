import { APP_IDS, HWID_PATTERN, type AppId } from '@app/contracts/key-system';
import type { KeyAnswer } from '@app/contracts/key-system-schemas';
import { Router } from 'express';
import * as v from 'valibot';
import type { ReadRequester, Requester } from '#api/features/devices/requester.ts';
import { parseVisitor, type Visitor } from '#api/features/devices/visitor.ts';
import { AppError } from '#api/http/app-error.ts';
import { jsonBody } from '#api/http/json-body.ts';
import { parse } from '#api/http/parse.ts';
import type { KeysService } from './keys.service.ts';

const JWKS_MAX_AGE_S = 3600;

const appSchema = v.optional(v.picklist(APP_IDS), 'main');
const verifySchema = v.object({ key: v.pipe(v.string(), v.maxLength(4096)), hwid: v.string() });

interface KeysRoutesDeps {
  keys: KeysService;
  /** What there is to say to a device without a working key. */
  findProgress: (appId: AppId, visitor: Visitor, by: Requester) => Promise<KeyAnswer>;
  requesterOf: ReadRequester;
  now: () => number;
}

export function keysRoutes({ keys, findProgress, requesterOf, now }: KeysRoutesDeps): Router {
  const router = Router();

  router.get('/key', async (req, res) => {
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

  router.post('/key/verify', jsonBody, async (req, res) => {
    const { key, hwid } = parse(verifySchema, req.body);
    if (!HWID_PATTERN.test(hwid)) throw new AppError('KS_HWID');

    const { code, expiresAt } = await keys.verify(key, hwid);
    res.json({ valid: code === 'VALID', code, expiresAt, now: now() });
  });

  return router;
}

/** The public keys, for apps that check a key without asking. */
export function jwksRoutes(keys: KeysService): Router {
  const router = Router();

  router.get('/.well-known/jwks.json', async (_req, res) => {
    const body = JSON.stringify({ keys: await keys.listPublicKeys() });
    res.set('cache-control', `public, max-age=${JWKS_MAX_AGE_S}`).type('application/jwk-set+json').send(body);
  });

  return router;
}
