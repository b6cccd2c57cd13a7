import { randomBytes, randomUUID } from 'node:crypto';
import type { AdvertiserId } from '@app/contracts/advertisers';
import { Router } from 'express';
import { jsonBody } from '#api/foundation/http/json-body.ts';
import { sendInterstitial } from '#api/foundation/http/interstitial.ts';
import { singleString } from '#api/foundation/http/request-input.ts';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { type Misbehaviour, parseMisbehaviour, parseReturnUrl, type SandboxDeps, sendVisitPage } from './visit-page.ts';

/** Makes proofs that count once, for some time, unless they misbehave. */
function createProofs(makeOne: () => string, lifetimeMs: number, now: () => number) {
  const madeAt = new Map<string, number>();
  let last: string | undefined;

  return {
    make(how: Misbehaviour | undefined): string {
      last = how === 'same_proof' && last !== undefined ? last : makeOne();
      if (how !== 'wrong_proof') madeAt.set(last, how === 'late' ? now() - lifetimeMs : now());
      return last;
    },

    /** When a proof was made; undefined for one that is unknown or too old. */
    find(proof: string, { isSpent }: { isSpent: boolean }): number | undefined {
      const made = madeAt.get(proof);
      if (isSpent) madeAt.delete(proof);
      return made !== undefined && now() < made + lifetimeMs ? made : undefined;
    },
  };
}

/** Adds the visitor's page of an advertiser. Its form sends these parts of its address on. */
function addVisitPage(router: Router, { countdownMs }: SandboxDeps, id: AdvertiserId, path: string, parts: string[]) {
  router.get(path, async ({ query, params }, res) => {
    const fields = parts.map((name): [string, string] => [name, singleString(params[name] ?? query[name]) ?? '']);
    sendVisitPage(res, { id, countdownMs: await countdownMs(id), fields: Object.fromEntries(fields) });
  });
}

const HASH_TTL_MS = 10_000;

/** Plays Linkvertise: a dynamic link with its destination in base64, and a hash that is accepted once. */
export function fakeLinkvertise(deps: SandboxDeps & { token: string }): Router {
  const { baseUrl, token } = deps;
  const router = Router();
  const proofs = createProofs(() => randomBytes(32).toString('hex'), HASH_TTL_MS, deps.now);

  router.post('/api/v1/anti_bypassing', (req, res) => {
    const isGood = proofs.find(singleString(req.query['hash']) ?? '', { isSpent: true }) !== undefined;
    const reply = req.query['token'] === token ? (isGood ? 'TRUE' : 'FALSE') : 'Invalid token.';
    res.type('text/plain').send(reply);
  });

  addVisitPage(router, deps, 'linkvertise', '/:userId/:number/dynamic', ['r']);

  router.get('/finish', (req, res) => {
    const how = parseMisbehaviour(req.query['how']);
    const target = Buffer.from(singleString(req.query['r']) ?? '', 'base64').toString('utf8');
    const back = parseReturnUrl(decodeURI(target), baseUrl());
    if (how !== 'no_proof') back.searchParams.set('hash', proofs.make(how));
    res.redirect(302, back.href);
  });

  return router;
}

const TOKEN_TTL_MS = 60_000;

/** Plays Work.ink: a destination that each visit sets, and a token that one call checks and deletes. */
export function fakeWorkink(deps: SandboxDeps & { linkId: number }): Router {
  const { baseUrl, linkId } = deps;
  const router = Router();
  const destinations = new Map<string, string>();
  const proofs = createProofs(randomUUID, TOKEN_TTL_MS, deps.now);

  router.get('/_api/v2/override', (req, res) => {
    const sr = randomId();
    destinations.set(sr, singleString(req.query['destination']) ?? '');
    res.json({ sr });
  });

  router.get('/_api/v2/token/isValid/:token', (req, res) => {
    const { token } = req.params;
    const deleted = req.query['deleteToken'] === '1';
    const createdAt = proofs.find(token, { isSpent: deleted });
    if (createdAt === undefined) return void res.json({ valid: false, deleted: false });

    const expiresAfter = createdAt + TOKEN_TTL_MS;
    res.json({ valid: true, deleted, info: { token, createdAt, byIp: '127.0.0.1', linkId, expiresAfter } });
  });

  addVisitPage(router, deps, 'workink', '/link', ['sr']);

  router.get('/finish', (req, res) => {
    const how = parseMisbehaviour(req.query['how']);
    const destination = destinations.get(singleString(req.query['sr']) ?? '');
    const token = how === 'no_proof' ? '' : proofs.make(how);
    res.redirect(302, parseReturnUrl(destination?.replace('{TOKEN}', token), baseUrl()).href);
  });

  return router;
}

const LATE_POSTBACK_MS = 5000;
const WRONG_SECRET = 'a-wrong-postback-secret';

const POSTBACK_FIRST = {
  title: 'LootLabs has called the server',
  text: 'You have not been sent back. The step counts even if you close this page now.',
};

/** Plays LootLabs: an encrypted destination, and a call to the publisher's server when the task is done. */
export function fakeLootlabs(deps: SandboxDeps & { token: string; postbackSecret: string }): Router {
  const { baseUrl, selfOrigin, token, postbackSecret } = deps;
  const router = Router();
  const destinations = new Map<string, string>();
  const tasks = createProofs(randomId, Infinity, deps.now);

  async function callBack(clickId: string, uniqueId: string, secret: string): Promise<void> {
    const query = new URLSearchParams({ click_id: clickId, unique_id: uniqueId, ip: '127.0.0.1' });
    // Like the real advertiser, it ignores whether the server answers.
    await fetch(`${selfOrigin()}/api/keysystem/postback/${secret}?${query.toString()}`).catch(() => undefined);
  }

  router.post('/api/public/url_encryptor', jsonBody, (req, res) => {
    const { destination_url: destination } = (req.body ?? {}) as { destination_url?: unknown };
    if (req.headers.authorization !== `Bearer ${token}` || typeof destination !== 'string') {
      return void res.status(401).json({ type: 'error', message: 'Unauthorized' });
    }

    const data = randomId();
    destinations.set(data, destination);
    res.json({ type: 'fetched', message: data });
  });

  addVisitPage(router, deps, 'lootlabs', '/s', ['data', 'puid']);

  router.get('/finish', async (req, res) => {
    const how = parseMisbehaviour(req.query['how']);
    const back = parseReturnUrl(destinations.get(singleString(req.query['data']) ?? ''), baseUrl());
    const clickId = singleString(req.query['puid']) ?? '';
    const uniqueId = tasks.make(how);

    const call = () => callBack(clickId, uniqueId, how === 'wrong_proof' ? WRONG_SECRET : postbackSecret);
    if (how === 'late') setTimeout(() => void call(), LATE_POSTBACK_MS).unref();
    else if (how !== 'no_postback') await call();
    if (how === 'twice') await call();
    if (how === 'postback_first')
      return sendInterstitial(res, { ...POSTBACK_FIRST, link: { href: back.href, label: 'Return now' } });

    res.redirect(302, back.href);
  });

  return router;
}

/** Plays Rinku: a short link for a long one. The only proof is that the visitor reached its destination. */
export function fakeRinku(deps: SandboxDeps & { apiKey: string }): Router {
  const { baseUrl, apiKey } = deps;
  const router = Router();
  const destinations = new Map<string, string>();

  router.get('/api', (req, res) => {
    const alias = singleString(req.query['alias']);
    const url = singleString(req.query['url']);
    if (req.query['api'] !== apiKey || !alias || !url)
      return void res.json({ status: 'error', message: 'Invalid request' });

    destinations.set(alias, url);
    res.json({ status: 'success', shortenedUrl: `${baseUrl()}/dev/advertiser/rinku/go/${alias}` });
  });

  addVisitPage(router, deps, 'rinku', '/go/:alias', ['alias']);

  router.get('/finish', (req, res) => {
    res.redirect(302, parseReturnUrl(destinations.get(singleString(req.query['alias']) ?? ''), baseUrl()).href);
  });

  return router;
}
