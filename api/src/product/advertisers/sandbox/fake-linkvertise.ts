import { randomBytes } from 'node:crypto';
import { Router } from 'express';
import { singleString } from '#api/foundation/http/request-input.ts';
import { type Misbehaviour, parseMisbehaviour, parseReturnUrl, type SandboxDeps, sendVisitPage } from './visit-page.ts';

const HASH_LIFETIME_MS = 10_000;

/**
 * Plays Linkvertise: a dynamic link with its destination in base64, and a hash that is accepted once, within ten
 * seconds.
 */
export function fakeLinkvertise({ baseUrl, countdownMs, now, token }: SandboxDeps & { token: string }): Router {
  const router = Router();
  const madeAt = new Map<string, number>();
  let lastHash: string | undefined;

  function makeHash(how: Misbehaviour | undefined): string {
    const hash = how === 'same_proof' && lastHash !== undefined ? lastHash : randomBytes(32).toString('hex');
    if (how !== 'wrong_proof') madeAt.set(hash, how === 'late' ? now() - HASH_LIFETIME_MS : now());
    lastHash = hash;
    return hash;
  }

  router.post('/api/v1/anti_bypassing', (req, res) => {
    const hash = singleString(req.query['hash']) ?? '';
    const made = madeAt.get(hash);
    madeAt.delete(hash);

    const isGood = made !== undefined && now() - made < HASH_LIFETIME_MS;
    const reply = req.query['token'] === token ? (isGood ? 'TRUE' : 'FALSE') : 'Invalid token.';
    res.type('text/plain').send(reply);
  });

  router.get('/:userId/:number/dynamic', async (req, res) => {
    const r = singleString(req.query['r']) ?? '';
    const misbehaviours = ['wrong_proof', 'no_proof', 'same_proof', 'late', 'early'] as const;
    sendVisitPage(res, {
      id: 'linkvertise',
      countdownMs: await countdownMs('linkvertise'),
      fields: { r },
      misbehaviours,
    });
  });

  router.get('/finish', (req, res) => {
    const how = parseMisbehaviour(req.query['how']);
    const target = Buffer.from(singleString(req.query['r']) ?? '', 'base64').toString('utf8');
    const back = parseReturnUrl(decodeURI(target), baseUrl());
    if (how !== 'no_proof') back.searchParams.set('hash', makeHash(how));
    res.redirect(302, back.href);
  });

  return router;
}
