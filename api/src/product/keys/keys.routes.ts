import type { AppId } from '@app/contracts/key-system';
import {
  deviceQuerySchema,
  keyCheckSchema,
  type KeyAnswer,
  type KeyCheck,
  type KeyFinding,
} from '@app/contracts/app-calls';
import type { ServerVerdict } from '@app/contracts/key-system-schemas';
import { readPasted, readWrapped } from '@app/contracts/read-pasted';
import { Router, type Request, type RequestHandler } from 'express';
import * as v from 'valibot';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import type { Site } from '#api/foundation/module.ts';
import { DEVICE_CLAIM_CODES, type DeviceClaim } from '#api/product/devices/device.ts';
import { jsonBody } from '#api/foundation/http/json-body.ts';
import { parse } from '#api/foundation/http/request-input.ts';
import { onlyPost, onlyRead } from '#api/foundation/http/only-methods.ts';
import type { WaitForChange } from '#api/product/devices/wait-for-change.ts';
import type { Limits } from '#api/product/limits/limits.ts';
import type { KeysService } from './keys.service.ts';

const JWKS_MAX_AGE_S = 3600;

/** Apps send a key as it is; people paste it. */
const pastedCheckSchema = v.object({
  ...keyCheckSchema.entries,
  key: v.pipe(v.string(), v.transform(readWrapped), keyCheckSchema.entries.key),
  hwid: v.pipe(v.string(), v.transform(readPasted), keyCheckSchema.entries.hwid),
});

interface FindKeyDeps {
  keys: Pick<KeysService, 'findActive'>;
  /** The key that a paid plan gives to a device, if it has one. */
  findPlanKey: (appId: AppId, hwid: string) => Promise<{ jws: string; expiresAt: number } | undefined>;
  /** Which keys a device has, and what its app is told `without` one, as of one moment. */
  findProgress: (
    appId: AppId,
    visitor: DeviceClaim,
    by: ClientIdentity,
  ) => Promise<{ hasPlan: boolean; hasKey: boolean; without: KeyFinding }>;
  /** Called when an app fetches the key of a run that none has fetched before. */
  onFirstFetch: (jti: string) => void;
}

/** Makes the function that finds the key of a device. Most calls are of apps that wait: for them one look at it is all. */
export function createFindKey({ keys, findPlanKey, findProgress, onFirstFetch }: FindKeyDeps) {
  return async function findKey(
    app: AppId,
    visitor: DeviceClaim,
    by: ClientIdentity,
    isApp = false,
  ): Promise<KeyFinding> {
    const { hasPlan, hasKey, without } = await findProgress(app, visitor, by);
    const planKey = hasPlan ? await findPlanKey(app, visitor.hwid) : undefined;
    const runKey = !planKey && hasKey ? await keys.findActive(app, visitor) : undefined;
    if (isApp && runKey && 'jti' in runKey && runKey.fetchedAt === null) onFirstFetch(runKey.jti);

    const key = planKey ?? runKey;
    if (!key) return without;
    if ('reason' in key) return without.status === 'none' ? { ...without, ...key } : without;

    return { status: 'active', key: key.jws, expiresAt: key.expiresAt };
  };
}

interface KeysRoutesDeps extends Pick<Site, 'readIdentity' | 'limiter' | 'now'> {
  /** @throws AppError `KS_APP` when there is no such app */
  requireApp: (app: AppId) => Promise<void>;
  keys: KeysService;
  findKey: ReturnType<typeof createFindKey>;
  waitForChange: WaitForChange;
  /** Counts requests for the key of a device. */
  limitKeys: RequestHandler;
  limits: Pick<Limits, 'keyChecksPerMinute' | 'verdictsPerTenSeconds' | 'perAddress'>;
}

/** The routes of keys for apps: `/key` gives the key of a device, `/key/verify` checks one. */
export function keysRoutes({
  requireApp,
  keys,
  findKey,
  waitForChange,
  limitKeys,
  readIdentity,
  limits,
  limiter,
  now,
}: KeysRoutesDeps): Router {
  const router = Router();

  router.get('/key', limitKeys, async (req, res) => {
    const { app, ...visitor } = parse(deviceQuerySchema, req.query, DEVICE_CLAIM_CODES);
    const by = readIdentity(req);
    const read = () => findKey(app, visitor, by, isCallOfApp(req, by));
    const found = await waitForChange(req, res, { app, hwid: visitor.hwid, by, read, isAwaiting });
    res.status(found.status === 'blocked' ? 403 : 200).json({ ...found, app, now: now() } satisfies KeyAnswer);
  });
  router.all('/key', onlyRead);

  const limitChecks = limiter.byDevice(
    { name: 'key-check', max: limits.keyChecksPerMinute },
    (req) => readCheck(req).hwid,
    limits.perAddress.reads,
  );
  const limitVerdicts = limiter.byAddress({ name: 'verdict', max: limits.verdictsPerTenSeconds, windowMs: 10_000 });
  const limitSigned: RequestHandler = (req, res, next) =>
    readCheck(req).nonce === undefined ? next() : limitVerdicts(req, res, next);
  router.post('/key/verify', jsonBody, limitChecks, limitSigned, async (req, res) => {
    const { nonce, ...check } = readCheck(req);
    const { key, app } = check;
    await requireApp(app);
    const found = await keys.verify(key, check);
    const { code, expiresAt } = found;
    // The app compares it with what it has, which may end with the line break of a file.
    const sent = req.body as { key: string; hwid: string };
    const asked = { key: sent.key, hwid: sent.hwid, app };
    const signed = nonce === undefined ? {} : { verdict: await keys.signVerdict({ ...asked, nonce }, found) };
    res.json({ valid: code === 'VALID', code, app, expiresAt, now: now(), ...signed } satisfies ServerVerdict);
  });
  router.all('/key/verify', onlyPost);

  return router;
}

/** Whether a key may still come. */
function isAwaiting(found: KeyFinding): boolean {
  return found.status === 'in_progress' || (found.status === 'none' && !found.reason);
}

/** What only browsers send, for pages that make the call of the app, and for pictures at its address. */
const BROWSERS_HEADERS = ['sec-fetch-site', 'origin', 'referer', 'purpose', 'sec-purpose'] as const;

function isCallOfApp({ method, headers }: Request, { browser }: ClientIdentity): boolean {
  const isBrowsers = BROWSERS_HEADERS.some((name) => headers[name] !== undefined);
  return method === 'GET' && browser === undefined && !isBrowsers && !/html|image/.test(headers.accept ?? '');
}

function readCheck({ body }: Request): KeyCheck {
  return parse(pastedCheckSchema, body, DEVICE_CLAIM_CODES);
}

/** Serves the public keys, for apps that check keys offline. */
export function jwksRoutes(keys: KeysService): Router {
  const router = Router();

  router.get('/.well-known/jwks.json', async (_req, res) => {
    const body = JSON.stringify({ keys: await keys.listPublicKeys() });
    res.set('cache-control', `public, max-age=${JWKS_MAX_AGE_S}`).type('application/jwk-set+json').send(body);
  });
  router.all('/.well-known/jwks.json', onlyRead);

  return router;
}
