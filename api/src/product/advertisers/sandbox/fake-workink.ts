import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { singleString } from '#api/foundation/http/request-input.ts';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { type Misbehaviour, parseMisbehaviour, parseReturnUrl, type SandboxDeps, sendVisitPage } from './visit-page.ts';

const TOKEN_LIFETIME_MS = 60_000;

/** Plays Work.ink: a destination that each visit sets, and a token that one call checks and deletes. */
export function fakeWorkink({ baseUrl, countdownMs, now, linkId }: SandboxDeps & { linkId: number }): Router {
  const router = Router();
  const destinations = new Map<string, string>();
  const createdAt = new Map<string, number>();
  let lastToken: string | undefined;

  function makeToken(how: Misbehaviour | undefined): string {
    const token = how === 'same_proof' && lastToken !== undefined ? lastToken : randomUUID();
    if (how !== 'wrong_proof') createdAt.set(token, how === 'late' ? now() - TOKEN_LIFETIME_MS : now());
    lastToken = token;
    return token;
  }

  router.get('/_api/v2/override', (req, res) => {
    const sr = randomId();
    destinations.set(sr, singleString(req.query['destination']) ?? '');
    res.json({ sr });
  });

  router.get('/_api/v2/token/isValid/:token', (req, res) => {
    const { token } = req.params;
    const created = createdAt.get(token);
    const deleted = req.query['deleteToken'] === '1';
    if (deleted) createdAt.delete(token);

    const expiresAfter = (created ?? 0) + TOKEN_LIFETIME_MS;
    if (created === undefined || expiresAfter <= now()) return void res.json({ valid: false, deleted: false });
    res.json({ valid: true, deleted, info: { token, createdAt: created, byIp: '127.0.0.1', linkId, expiresAfter } });
  });

  router.get('/link', async (req, res) => {
    const sr = singleString(req.query['sr']) ?? '';
    const misbehaviours = ['wrong_proof', 'no_proof', 'same_proof', 'late', 'early'] as const;
    sendVisitPage(res, { id: 'workink', countdownMs: await countdownMs('workink'), fields: { sr }, misbehaviours });
  });

  router.get('/finish', (req, res) => {
    const how = parseMisbehaviour(req.query['how']);
    const destination = destinations.get(singleString(req.query['sr']) ?? '');
    const token = how === 'no_proof' ? '' : makeToken(how);
    res.redirect(302, parseReturnUrl(destination?.replace('{TOKEN}', token), baseUrl()).href);
  });

  return router;
}
