import { Router } from 'express';
import { jsonBody } from '#api/foundation/http/json-body.ts';
import { singleString } from '#api/foundation/http/request-input.ts';
import { sendInterstitial } from '#api/foundation/http/interstitial.ts';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { parseMisbehaviour, parseReturnUrl, type SandboxDeps, sendVisitPage } from './visit-page.ts';

const LATE_POSTBACK_MS = 5000;
const WRONG_SECRET = 'a-wrong-postback-secret';

const CALLED_FIRST = {
  title: 'LootLabs has called the server',
  text: 'You have not been sent back. The step counts even if you close this page now.',
};

/** Plays LootLabs: an encrypted destination, and a call to the publisher's server when the task is done. */
export function fakeLootlabs({
  baseUrl,
  selfOrigin,
  countdownMs,
  token,
  postbackSecret,
}: SandboxDeps & { token: string; postbackSecret: string }): Router {
  const router = Router();
  const destinations = new Map<string, string>();
  let lastUniqueId: string | undefined;

  async function callBack(clickId: string, uniqueId: string, secret: string): Promise<void> {
    const query = new URLSearchParams({ click_id: clickId, unique_id: uniqueId, ip: '127.0.0.1' });
    // Like the real advertiser, it ignores whether the server answers.
    await fetch(`${selfOrigin()}/api/keysystem/postback/${secret}?${query.toString()}`).catch(() => undefined);
  }

  router.post('/api/public/url_encryptor', jsonBody, (req, res) => {
    const body: unknown = req.body;
    const destination =
      body !== null && typeof body === 'object' && 'destination_url' in body ? body.destination_url : undefined;
    if (req.headers.authorization !== `Bearer ${token}` || typeof destination !== 'string') {
      return void res.status(401).json({ type: 'error', message: 'Unauthorized' });
    }

    const data = randomId();
    destinations.set(data, destination);
    res.json({ type: 'fetched', message: data });
  });

  router.get('/s', async (req, res) => {
    const fields = { data: singleString(req.query['data']) ?? '', puid: singleString(req.query['puid']) ?? '' };
    const misbehaviours = [
      'no_postback',
      'postback_first',
      'twice',
      'wrong_proof',
      'same_proof',
      'late',
      'early',
    ] as const;
    sendVisitPage(res, { id: 'lootlabs', countdownMs: await countdownMs('lootlabs'), fields, misbehaviours });
  });

  router.get('/finish', async (req, res) => {
    const how = parseMisbehaviour(req.query['how']);
    const back = parseReturnUrl(destinations.get(singleString(req.query['data']) ?? ''), baseUrl());
    const clickId = singleString(req.query['puid']) ?? '';
    const uniqueId = how === 'same_proof' && lastUniqueId !== undefined ? lastUniqueId : randomId();
    lastUniqueId = uniqueId;

    const call = () => callBack(clickId, uniqueId, how === 'wrong_proof' ? WRONG_SECRET : postbackSecret);
    if (how === 'late') setTimeout(() => void call(), LATE_POSTBACK_MS).unref();
    else if (how !== 'no_postback') await call();
    if (how === 'twice') await call();
    if (how === 'postback_first')
      return sendInterstitial(res, { ...CALLED_FIRST, link: { href: back.href, label: 'Return now' } });

    res.redirect(302, back.href);
  });

  return router;
}
