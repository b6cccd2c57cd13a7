import express from 'express';
import { expect, test } from 'vitest';
import { handleError } from '#api/foundation/http/handle-error.ts';
import { createRateLimiter } from '#api/foundation/http/rate-limit.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { listen } from '#api/test/listen.ts';
import { createOidcIdentities } from './oidc-identity.ts';
import { createDeployAuth, createDeployToken, deployerOf, revokeDeployToken } from './deploy-tokens.ts';
import { createDeployTokensRepository } from './deploy-tokens.repository.ts';
import { readAudit } from '#api/test/sealed.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.parse('2026-12-01T12:00Z');
const ACT = { by: 'olga', at: NOW };

describeEachDatabase('deploy tokens', (db) => {
  async function createSite() {
    let time = NOW;
    const auth = createDeployAuth({
      db: db(),
      limiter: createRateLimiter({ now: () => time, trustedHops: 0 }),
      now: () => time,
      identities: createOidcIdentities({ audience: () => 'https://site.example', pepper: 'pepper', now: () => time }),
    });
    const app = express()
      .put('/:unit', auth.requireToken(), (_req, res) => res.send(deployerOf(res)))
      .get('/', auth.requireAnyToken(), (_req, res) => res.send(deployerOf(res)))
      .use(handleError(() => undefined));
    const url = await listen(app);

    return {
      pass: (ms: number) => (time += ms),
      put: async (unit: string, authorization?: string) => {
        const res = await fetch(`${url}/${unit}`, {
          method: unit ? 'PUT' : 'GET',
          headers: authorization === undefined ? {} : { authorization },
        });
        const text = await res.text();
        if (res.ok) return `${res.status} ${text}`;
        const { code, detail } = JSON.parse(text) as { code: string; detail?: string };
        return [res.status, code, detail].filter(Boolean).join(' ');
      },
    };
  }

  async function create(days = 90) {
    const created = await createDeployToken({ db: db() }, { unit: 'tools', label: 'Tools CI', days }, ACT);
    if (!created) throw new Error('there is no unit tools');
    return created;
  }

  test('a token grants access to its own unit, and identifies its owner', async () => {
    const { put } = await createSite();
    const { token } = await create();

    expect(await put('tools', `Bearer ${token}`)).toBe('200 Tools CI');
    expect(await put('', `Bearer ${token}`)).toBe('200 Tools CI');
  });

  test('threat 39: a token is rejected for another unit, and the error names its own unit', async () => {
    const { put } = await createSite();
    const { token } = await create();

    expect(await put('marketing', `Bearer ${token}`)).toBe(
      '403 release.other_unit The deploy token is for tools, not for marketing.',
    );
  });

  test('requests without a token, with a wrong token, or with its hash are rejected', async () => {
    const { put } = await createSite();
    const { token } = await create();
    const [{ hash } = { hash: '' }] = await createDeployTokensRepository(db()).list();

    expect(await put('tools')).toBe('401 release.token_unknown The request has no deploy token.');
    for (const wrong of [`Bearer ${hash}`, `Bearer deploy_${hash}`, `Bearer ${token}x`, `Bearer ${token.slice(0, -1)}`])
      expect(await put('tools', wrong)).toBe('401 release.token_unknown');
    for (const unread of [token, `Basic ${token}`])
      expect(await put('tools', unread)).toContain('401 release.token_unknown');
  });

  test('threat 39: a token is rejected after its expiry date or its revocation', async () => {
    const { put, pass } = await createSite();
    const short = await create(1);
    const long = await create(2);

    pass(DAY - 1);
    expect(await put('tools', `Bearer ${short.token}`)).toContain('200');
    pass(1);
    expect(await put('tools', `Bearer ${short.token}`)).toBe('401 release.token_expired');

    expect(await revokeDeployToken({ db: db() }, long.id, ACT)).toMatchObject({ unit: 'tools', label: 'Tools CI' });
    expect(await put('tools', `Bearer ${long.token}`)).toBe('401 release.token_expired The deploy token was revoked.');
    expect(await revokeDeployToken({ db: db() }, long.id, ACT)).toBeUndefined();
  });

  test('threat 39: the database stores only a token’s hash, and the audit neither', async () => {
    const { token, id } = await create();
    await revokeDeployToken({ db: db() }, id, ACT);

    const rows = await createDeployTokensRepository(db()).list();
    const events = await readAudit(db());
    expect(JSON.stringify(rows)).not.toContain(token.slice(10));
    expect(rows).toMatchObject([{ id, unit: 'tools', expiresAt: NOW + 90 * DAY }]);
    expect(events.map(({ kind, code }) => `${kind} ${code}`)).toEqual(['deploy_token created', 'deploy_token revoked']);
    for (const secret of [token, rows[0]?.hash ?? '']) expect(JSON.stringify(events)).not.toContain(secret);
  });

  test('a token’s last use is recorded at most once a minute', async () => {
    const { put, pass } = await createSite();
    const { token } = await create();
    const lastUse = async () => (await createDeployTokensRepository(db()).list())[0]?.lastUsedAt;

    expect(await lastUse()).toBeNull();
    await put('tools', `Bearer ${token}`);
    expect(await lastUse()).toBe(NOW);
    pass(59_999);
    await put('tools', `Bearer ${token}`);
    expect(await lastUse()).toBe(NOW);
    pass(1);
    await put('tools', `Bearer ${token}`);
    expect(await lastUse()).toBe(NOW + 60_000);
  });

  test('threat 39: wrong tokens lock out no team, and an address with too many requests waits for a minute', async () => {
    const { put, pass } = await createSite();
    const { token } = await create();

    for (let nth = 0; nth < 599; nth++)
      expect(await put('tools', `Bearer deploy_${String(nth)}`)).toBe('401 release.token_unknown');
    expect(await put('tools', `Bearer ${token}`)).toBe('200 Tools CI');
    expect(await put('tools', `Bearer ${token}`)).toContain('429 KS_LIMIT');
    pass(60_000);
    expect(await put('tools', `Bearer ${token}`)).toBe('200 Tools CI');
  });

  test('a token is created only for an existing unit', async () => {
    expect(await createDeployToken({ db: db() }, { unit: 'unknown', label: 'x', days: 1 }, ACT)).toBeUndefined();
  });
});
