import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { QaState } from '@app/contracts/qa';
import { accessRequestSchema, localUnitSchema, pinChangeSchema, shareRequestSchema } from '@app/contracts/qa-requests';
import { SHELL } from '@app/contracts/unit';
import { Router, type RequestHandler, type Response } from 'express';
import { findPinProblem, makeShareLink, parsePageAddress } from './pin-links.ts';
import { type Qa, QA_TTL_MS } from './qa.ts';
import type { PinSession } from '#api/delivery/serving/release-selection.ts';
import { createFindFile, readAddress } from '#api/delivery/serving/releases.routes.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import { noStore } from '#api/foundation/http/headers.ts';
import { jsonBody } from '#api/foundation/http/json-body.ts';
import { onlyMethods, onlyPost } from '#api/foundation/http/only-methods.ts';
import type { RateLimiter } from '#api/foundation/http/rate-limit.ts';
import { parse, singleString } from '#api/foundation/http/request-input.ts';

/** Of one address in a minute. Wrong keys are not counted apart: strangers in its network could lock a team out. */
const MAX_REQUESTS_PER_MINUTE = 120;

interface Deps {
  qa: Qa;
  limiter: RateLimiter;
  baseUrl: () => string;
  folder: string;
}

export function qaRoutes({ qa, limiter, baseUrl, folder }: Deps): Router {
  const router = Router();
  const { cookies, registry, signer, now } = qa;

  const needAccess: RequestHandler = (req, _res, next) => {
    if (!qa.hasAccess(req)) throw new AppError('QA_ACCESS');
    next();
  };

  router.use('/api/qa', noStore, limiter.byAddress({ name: 'qa', max: MAX_REQUESTS_PER_MINUTE }));

  router.post('/api/qa/access', jsonBody, (req, res) => {
    if (!qa.isAccessKey(parse(accessRequestSchema, req.body).key))
      throw new AppError('QA_ACCESS', 'This is not the access key.');

    res.json({ until: cookies.giveAccess(res) });
  });
  router.delete('/api/qa/access', (_req, res) => {
    cookies.endAccess(res);
    cookies.endLocal(res);
    res.status(204).end();
  });
  router.all('/api/qa/access', onlyMethods('POST', 'DELETE'));

  router.get('/api/qa/pins', (req, res) => {
    const state: QaState = { access: qa.hasAccess(req), session: qa.readPins(req) ?? null };
    res.json(state);
  });
  router.put('/api/qa/pins', needAccess, jsonBody, async (req, res) => {
    const change = parse(pinChangeSchema, req.body);
    const problem = await findPinProblem(registry, change.pins);
    if (problem) throw new AppError('QA_PIN', problem);

    const isEmpty = Object.keys({ ...change.pins, ...change.faults }).length === 0;
    const session = isEmpty ? null : ({ ...change, until: now() + QA_TTL_MS, by: 'panel' } as const);
    if (session) await qa.putPins(res, session);
    else cookies.endPins(res);
    res.json({ access: true, session } satisfies QaState);
  });
  router.delete('/api/qa/pins', (_req, res) => {
    cookies.endPins(res);
    res.status(204).end();
  });
  router.all('/api/qa/pins', onlyMethods('GET', 'HEAD', 'PUT', 'DELETE'));

  router.post('/api/qa/local', needAccess, jsonBody, (req, res) => {
    const local = parse(localUnitSchema, req.body);
    // The shell has the badge that leads back.
    if (local.unit === SHELL) throw new AppError('QA_PIN', 'The shell cannot come from a computer: it has the badge.');
    if (!registry.snapshot().units.has(local.unit))
      throw new AppError('QA_PIN', `Visitors have no release of ${local.unit}, so it has no page here.`);

    res.json({ until: cookies.putLocal(res, local) });
  });
  router.delete('/api/qa/local', (_req, res) => {
    cookies.endLocal(res);
    res.status(204).end();
  });
  router.all('/api/qa/local', onlyMethods('POST', 'DELETE'));

  router.post('/api/qa/share', needAccess, jsonBody, async (req, res) => {
    const page = parsePageAddress(parse(shareRequestSchema, req.body).path);
    const { pins = {} } = qa.readPins(req) ?? {};
    if (page === undefined) throw new AppError('request.invalid', 'This is not a page of the site.');
    if (Object.keys(pins).length === 0) throw new AppError('QA_PIN', 'Nothing is pinned in this browser.');

    const until = now() + QA_TTL_MS;
    await qa.notePins(pins, until);
    res.json({ link: `${baseUrl()}${makeShareLink(signer, page, pins, until)}`, until });
  });
  router.all('/api/qa/share', onlyPost);

  router.use(simulateFaults({ qa, folder }));
  return router;
}

/** How long a file may hang. Pages give up before: after `CHUNK_TIMEOUT_MS`, usually 120 seconds. */
const MAX_HANG_MS = 150_000;

/** How many files may hang at once: for one browser, which has six connections, and in total. */
const MAX_HANGING = 4;
const MAX_HANGING_OF_ALL = 40;

/** Answers files with the fault that QA simulates in this browser. The address alone has no effect on any other. */
function simulateFaults({ qa: { readPins, registry }, folder }: Pick<Deps, 'qa' | 'folder'>): Router {
  const router = Router();
  const findFile = createFindFile(folder, registry);
  const hanging = new Map<string, number>();

  function hang(session: PinSession, res: Response): void {
    const who = JSON.stringify(session);
    const ofThis = hanging.get(who) ?? 0;
    const ofAll = [...hanging.values()].reduce((sum, count) => sum + count, 0);
    if (ofThis >= MAX_HANGING || ofAll >= MAX_HANGING_OF_ALL) return void sendUnavailable(res);

    hanging.set(who, ofThis + 1);
    const timer = setTimeout(() => sendUnavailable(res), MAX_HANG_MS);
    res.on('close', () => {
      clearTimeout(timer);
      const left = (hanging.get(who) ?? 1) - 1;
      if (left > 0) hanging.set(who, left);
      else hanging.delete(who);
    });
  }

  // Not as a GET route: then this router would answer OPTIONS.
  router.use('/releases', async (req, res, next) => {
    const fault = singleString(req.query['fault']);
    const address = readAddress(req.path);
    const session = fault === undefined || req.method !== 'GET' ? undefined : readPins(req);
    if (!address || !session || session.faults[address[0]] !== fault) return next();

    res.set('cache-control', 'no-store');
    if (fault === 'offline') return void sendUnavailable(res);
    if (fault === 'slow') return hang(session, res);
    if (fault !== 'corrupt') return next();

    const [unit, , name] = address;
    for await (const { version } of findFile(...address)) {
      const bytes = await readFile(join(folder, unit, version, name)).catch(() => undefined);
      if (!bytes) continue;
      const middle = bytes.length >> 1;
      bytes[middle] = (bytes[middle] ?? 0) ^ 1;
      return void res.type(extname(name)).send(bytes);
    }
    throw new AppError('route.not_found');
  });

  return router;
}

/** A closed connection would make a proxy believe that this server is gone, for all visitors. */
function sendUnavailable(res: Response): void {
  res.status(503).end();
}
