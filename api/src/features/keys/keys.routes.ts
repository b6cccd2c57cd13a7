import type { AppId } from '@app/contracts/key-system';
import { deviceQuerySchema, keyCheckSchema, type KeyAnswer, type KeyFinding } from '@app/contracts/key-system-schemas';
import { Router } from 'express';
import type { ReadRequester, Requester } from '#api/features/devices/requester.ts';
import { VISITOR_CODES, type Visitor } from '#api/features/devices/visitor.ts';
import { openToEverySite } from '#api/http/headers.ts';
import { jsonBody } from '#api/http/json-body.ts';
import { parse } from '#api/http/parse.ts';
import type { KeysService } from './keys.service.ts';

const JWKS_MAX_AGE_S = 3600;

interface KeysRoutesDeps {
  keys: KeysService;
  /** What there is to say to a device without a working key. */
  findProgress: (appId: AppId, visitor: Visitor, by: Requester) => Promise<KeyFinding>;
  requesterOf: ReadRequester;
  now: () => number;
}

export function keysRoutes({ keys, findProgress, requesterOf, now }: KeysRoutesDeps): Router {
  const router = Router();

  router.get('/key', async (req, res) => {
    const { app, ...visitor } = parse(deviceQuerySchema, req.query, VISITOR_CODES);

    let found = await findKey(keys, app, visitor);
    if (found?.status !== 'active') {
      const progress = await findProgress(app, visitor, requesterOf(req));
      // A run that ended between the two looks has left its key.
      found = progress.status === 'none' ? ((await findKey(keys, app, visitor)) ?? progress) : progress;
    }
    res.status(found.status === 'blocked' ? 403 : 200).json({ ...found, app, now: now() } satisfies KeyAnswer);
  });

  router.post('/key/verify', jsonBody, async (req, res) => {
    const { key, app, hwid } = parse(keyCheckSchema, req.body, VISITOR_CODES);
    const { code, expiresAt } = await keys.verify(key, { app, hwid });
    res.json({ valid: code === 'VALID', code, app, expiresAt, now: now() });
  });

  return router;
}

async function findKey(keys: KeysService, app: AppId, visitor: Visitor): Promise<KeyFinding | undefined> {
  const key = await keys.findActive(app, visitor);
  if (!key || 'reason' in key) return key && { status: 'none', ...key };

  return { status: 'active', key: key.jws, expiresAt: key.expiresAt };
}

/** The public keys, for apps that check a key without asking. */
export function jwksRoutes(keys: KeysService): Router {
  const router = Router();

  router.get('/.well-known/jwks.json', openToEverySite, async (_req, res) => {
    const body = JSON.stringify({ keys: await keys.listPublicKeys() });
    res.set('cache-control', `public, max-age=${JWKS_MAX_AGE_S}`).type('application/jwk-set+json').send(body);
  });

  return router;
}
