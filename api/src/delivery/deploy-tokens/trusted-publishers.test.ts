import { generateKeyPairSync } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { startFakeIssuer } from '#api/test/delivery/fake-issuer.ts';
import { ADMITTED_JOB, createTrustingSite, UNVERIFIED } from '#api/test/delivery/trusting-site.ts';
import { readAudit } from '#api/test/sealed.ts';
import { removeTrustedPublisher, addTrustedPublisher, type TrustedPublisher } from './trusted-publishers.ts';

const SITE = 'https://site.example';
const NOW = Date.parse('2026-12-01T12:00Z');
const ACT = { by: 'olga', at: NOW };
const PREVIEW_PATH = '/tools/0.2.0-preview.0a1b2c3d4e5f';

describeEachDatabase('trusted CI', (db) => {
  const createSite = (options: Parameters<typeof createTrustingSite>[1] = {}) => createTrustingSite(db(), options);

  test('a job of the trusted branch has full access to its unit, and is identified by its run and commit', async () => {
    const { send, sign, asked } = await createSite();

    expect(await send(await sign())).toBe(ADMITTED_JOB);
    expect(await send(await sign(), '/tools', 'PATCH')).toBe(ADMITTED_JOB);
    expect(await send(await sign(), '/', 'GET')).toBe(ADMITTED_JOB);
    expect(await send(await sign(), '/tools/slow', 'POST')).toBe(ADMITTED_JOB);
    expect(await send(await sign(), '/marketing', 'PATCH')).toBe(
      '403 release.not_trusted org/tools, run 4711, 0a1b2c3d4e5f: it is trusted with tools only.',
    );
    // The keys were read once for all of it.
    expect(asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
  });

  test('threat 57: a pull request may only check and publish previews', async () => {
    const { send, sign } = await createSite();
    for (const event_name of ['pull_request', 'pull_request_target', 'workflow_run', 'issue_comment', 'PUSH']) {
      // All but the first run on the branch that is trusted.
      const token = () => sign({ claims: { event_name, ref: 'refs/heads/main' } });
      const session = (await send(await token(), '/', 'POST')).slice(4);
      expect(await send(session, PREVIEW_PATH)).toBe(ADMITTED_JOB);
      expect(await send(await token(), PREVIEW_PATH)).toBe(ADMITTED_JOB);
      expect(await send(await token(), '/tools/0.2.0?check')).toBe(ADMITTED_JOB);
      for (const [path, method] of [
        ['/tools/0.2.0', 'PUT'],
        ['/tools/0.2.0-preview', 'PUT'],
        ['/tools', 'PATCH'],
        ['/tools?check', 'PATCH'],
      ] as const)
        for (const sent of [session, await token()])
          expect(await send(sent, path, method)).toBe(
            '403 release.not_trusted A pull request may only check, and publish previews.',
          );
      expect(await send(await token(), '/marketing/0.2.0-preview.a', 'PUT')).toContain('403 release.not_trusted');
    }
  });

  test('a job triggered by any event that requires push access may publish', async () => {
    const { send, sign } = await createSite();
    for (const event_name of ['push', 'workflow_dispatch', 'schedule', 'release', 'web', 'api', 'pipeline', 'trigger'])
      expect(await send(await sign({ claims: { event_name } })), event_name).toBe(ADMITTED_JOB);
  });

  test.each([
    ['another repository', { repository: 'org/other' }],
    ['a repository whose name begins alike', { repository: 'org/tools2' }],
    ['another owner', { repository: 'evil/tools' }],
    ['another branch', { ref: 'refs/heads/main2' }],
    ['a tag with the name of the branch', { ref: 'refs/tags/main' }],
    ['a fork’s pull request', { repository: 'fork/tools', event_name: 'pull_request' }],
  ])('rejects %s', async (_what, claims) => {
    const { send, sign } = await createSite();
    const answer = await send(await sign({ claims }));
    expect(answer).toMatch(/^403 release\.not_trusted Nobody trusts \S+ at refs\/\S+ here\.$/);
    expect(await send(await sign({ claims }), PREVIEW_PATH)).toBe(answer);
  });

  test('a trusted publisher with an environment accepts only jobs in that environment', async () => {
    const { send, sign } = await createSite({ trust: { environment: 'everybody' } });

    expect(await send(await sign())).toBe('403 release.not_trusted Nobody trusts org/tools at refs/heads/main here.');
    expect(await send(await sign({ claims: { environment: 'staging' } }))).toContain('at refs/heads/main in staging');
    expect(await send(await sign({ claims: { environment: 'everybody' } }))).toBe(ADMITTED_JOB);
  });

  test('a GitLab job is identified by its project and full branch ref', async () => {
    const { send, sign } = await createSite({ trust: { repository: 'group/sub/tools' } });
    const gitlab = {
      repository: undefined,
      event_name: undefined,
      run_id: undefined,
      project_path: 'group/sub/tools',
      ref: 'main',
      ref_path: 'refs/heads/main',
      pipeline_source: 'push',
      job_id: 99,
      repository_id: undefined,
      repository_owner_id: undefined,
      project_id: '28',
      namespace_id: '1',
    };
    expect(await send(await sign({ claims: gitlab }))).toBe('200 group/sub/tools, run 99, 0a1b2c3d4e5f');
    expect(await send(await sign({ claims: { ...gitlab, project_id: '29' } }))).toContain('its id is 29');
    expect(await send(await sign({ claims: { ...gitlab, ref_path: undefined } }))).toContain('does not say repository');
    expect(await send(await sign({ claims: { ...gitlab, pipeline_source: 'merge_request_event' } }))).toContain('403');
  });

  test.each([
    ['for another site', { aud: 'https://other.example' }, 'Its audience is not http://site.example.'],
    ['for two sites', { aud: ['http://site.example', 'https://other.example'] }, 'It is for several audiences.'],
    ['without an audience', { aud: undefined }, 'Its audience is not http://site.example.'],
    ['that lasts for a day', { exp: NOW / 1000 + 86_400 }, 'It lasts longer than an hour.'],
    ['that never ends', { exp: undefined }, 'Its exp is not right.'],
    ['without its age', { iat: undefined }, 'Its iat is not right.'],
    ['of tomorrow', { nbf: NOW / 1000 + 86_400 }, 'Its nbf is not right.'],
    ['that says no repository', { repository: undefined }, 'It does not say repository, ref and event.'],
    ['that says no event', { event_name: undefined }, 'It does not say repository, ref and event.'],
    ['without an id', { jti: undefined }, 'It has no id (jti), by which it would be used once.'],
    ['with lines in its names', { repository: 'org/tools\nx' }, 'It does not say repository, ref and event.'],
  ])('rejects a token %s', async (_what, claims, why) => {
    const { send, sign } = await createSite();
    expect(await send(await sign({ claims }))).toBe(`401 release.token_unknown The ID token is not accepted. ${why}`);
  });

  test('a token is valid from its issue time to its expiry', async () => {
    const { send, sign, pass } = await createSite();
    const [token, other] = [await sign(), await sign()];

    pass(329_000);
    expect(await send(token)).toBe(ADMITTED_JOB);
    pass(2000);
    expect(await send(other)).toBe('401 release.token_expired The ID token has expired.');
    pass(-500_000);
    expect(await send(other)).toContain('401 release.token_unknown');
  });

  test('threat 57: rejects tokens with another key, no signature, or the public key as an HMAC secret, whatever the header says', async () => {
    const { send, sign, signNot, signWithPublicKey } = await createSite({ restMs: 0 });
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

    for (const token of [
      await sign({ key: privateKey }),
      await sign({ key: privateKey, kid: 'other' }),
      signNot(),
      signWithPublicKey(),
      `${await sign()}x`,
      (await sign()).replace(/\.[^.]+$/, '.'),
    ])
      expect(await send(token)).toBe(UNVERIFIED);
    for (const junk of ['a.b.c', 'x'.repeat(7000), '..', 'e30.e30.e30'])
      expect(await send(junk)).toBe('401 release.token_unknown');
  });

  test('rejects input longer than any ID token, whatever its content', async () => {
    const { send, sign, asked } = await createSite();

    expect(await send(await sign({ claims: { pad: 'x'.repeat(7000) } }))).toBe('401 release.token_unknown');
    expect(asked).toEqual([]);
  });

  test('an untrusted issuer is never contacted, nor a trusted one spelled differently in a token', async () => {
    const { send, sign, asked, issuer } = await createSite({ trust: null });

    for (const iss of [
      issuer,
      `${issuer}/`,
      'http://169.254.169.254',
      undefined,
      7,
      [],
      [issuer],
      { a: 1 },
      'http://a\0b',
    ])
      expect(await send(await sign({ claims: { iss } }))).toMatch(/^40[13] release\.(not_trusted|token_unknown)/);
    expect(asked).toEqual([]);
  });

  const AWAY = /^503 server\.busy The keys of http:\/\/127\.0\.0\.1:\d+ cannot be read right now\.$/;
  const TOO_NEW = /^503 server\.busy The keys of http:\/\/127\.0\.0\.1:\d+ were read before this token’s\.$/;
  const hang = () => undefined;
  const hangUp = (_req: unknown, res: ServerResponse) => res.destroy();

  test.each<[string, Record<string, object>]>([
    ['hangs at its discovery', { '/.well-known/openid-configuration': hang }],
    ['hangs at its keys', { '/jwks': hang }],
    ['begins its keys and hangs', { '/jwks': (_req: unknown, res: ServerResponse) => void res.write('{"keys":[') }],
    ['sends keys without end', { '/jwks': (_req: unknown, res: ServerResponse) => flood(res) }],
    ['sends no JSON', { '/jwks': (_req: unknown, res: ServerResponse) => res.end('<html>') }],
    ['sends no keys', { '/jwks': { keys: 'none' } }],
    [
      'calls itself otherwise',
      {
        '/.well-known/openid-configuration': {
          issuer: 'https://other.example',
          jwks_uri: 'https://other.example/jwks',
        },
      },
    ],
    [
      'fails',
      { '/.well-known/openid-configuration': (_req: unknown, res: ServerResponse) => res.writeHead(500).end() },
    ],
  ])('an issuer that %s grants no access, and is not contacted again during a pause', async (_what, misbehaviour) => {
    const { send, sign, answer, asked } = await createSite({ timeoutMs: 300 });
    for (const [path, listener] of Object.entries(misbehaviour)) answer(path, listener);
    const token = await sign();

    expect(await send(token)).toMatch(AWAY);
    const before = asked.length;
    for (let times = 0; times < 5; times += 1) expect(await send(token)).toMatch(AWAY);
    expect(asked.length).toBeLessThanOrEqual(before + 1);
  });

  test('keys behind a redirect, or in an oversized document, are rejected', async () => {
    const { send, sign, answer, keySet } = await createSite();
    answer('/moved', keySet);
    answer('/jwks', (_req: unknown, res: ServerResponse) => res.writeHead(302, { location: '/moved' }).end());
    expect(await send(await sign())).toMatch(AWAY);

    const other = await createSite({ trust: { unit: 'marketing' } });
    other.answer('/jwks', { ...other.keySet, pad: 'x'.repeat(256 * 1024) });
    expect(await other.send(await other.sign(), '/marketing/0.2.0')).toMatch(AWAY);
  });

  test('a key set address on another host is not followed', async () => {
    const other = await startFakeIssuer(SITE);
    const { send, sign, answer, issuer } = await createSite();
    answer('/.well-known/openid-configuration', { issuer, jwks_uri: `${other.issuer}/jwks` });

    expect(await send(await sign())).toMatch(AWAY);
    expect(other.asked).toEqual([]);
  });

  test('a site over https contacts no issuer over http', async () => {
    const { send, sign, asked } = await createSite({ audience: SITE });
    expect(await send(await sign())).toMatch(AWAY);
    expect(asked).toEqual([]);
  });

  test.each([60_000, 0])(
    'cached keys stay valid during an issuer’s outage, also while others send unknown key ids (%i ms left)',
    async (restMs) => {
      const { send, sign, answer } = await createSite({ restMs });
      expect(await send(await sign())).toBe(ADMITTED_JOB);
      answer('/jwks', hangUp);
      answer('/.well-known/openid-configuration', hangUp);

      expect(await send(await sign({ kid: 'unknown' }))).toMatch(restMs > 0 ? TOO_NEW : AWAY);
      expect(await send(await sign())).toBe(ADMITTED_JOB);
    },
  );

  test('an unknown key id is fetched once per token, and tokens of a rotated key are accepted', async () => {
    const { send, sign, rotate, asked } = await createSite({ restMs: 0 });
    expect(await send(await sign())).toBe(ADMITTED_JOB);

    const signed = rotate();
    expect(await send(await sign(signed))).toBe(ADMITTED_JOB);
    expect(await send(await sign())).toBe(UNVERIFIED);
    expect(asked.filter((path) => path === '/jwks')).toHaveLength(3);
  });

  test('a token of a key rotated just after the last fetch has to be retried, and the issuer is not contacted', async () => {
    const { send, sign, rotate, asked } = await createSite();
    expect(await send(await sign())).toBe(ADMITTED_JOB);

    const signed = rotate();
    for (let times = 0; times < 5; times += 1) expect(await send(await sign(signed))).toMatch(TOO_NEW);
    expect(asked.filter((path) => path === '/jwks')).toHaveLength(1);
  });

  test('adding and removing a trusted publisher takes effect at once and is audited once', async () => {
    const { send, sign, given } = await createSite();
    const again = await addTrustedPublisher({ db: db() }, given, ACT);
    const id = 'id' in again ? again.id : '';
    expect(await send(await sign())).toBe(ADMITTED_JOB);

    expect(await removeTrustedPublisher({ db: db() }, id, { by: 'ada', at: NOW })).toMatchObject({ unit: 'tools' });
    expect(await send(await sign())).toContain('403 release.not_trusted No operator');
    expect(await removeTrustedPublisher({ db: db() }, id, ACT)).toBeUndefined();
    expect(await readAudit(db())).toMatchObject([
      { kind: 'deploy_token', code: 'ci trusted', detail: { unit: 'tools', repository: 'org/tools', by: 'olga' } },
      { kind: 'deploy_token', code: 'ci pinned', detail: { unit: 'tools', repositoryId: '456789' } },
      { kind: 'deploy_token', code: 'ci distrusted', detail: { unit: 'tools', repository: 'org/tools', by: 'ada' } },
    ]);
  });

  test.each([
    ['issuer', 'http://token.example'],
    ['issuer', 'https://a:b@token.example'],
    ['issuer', 'file:///etc/passwd'],
    ['issuer', 'token.example'],
    ['issuer', 'https://token.example?x'],
    ['repository', 'news'],
    ['repository', 'org/*'],
    ['repositoryId', 'org/*'],
    ['ref', 'main'],
    ['ref', 'refs/heads/*'],
    ['ref', 'refs/pull/1/merge'],
    ['environment', ''],
  ])('rejects as %s “%s”', async (name, value) => {
    const trust: TrustedPublisher = {
      unit: 'tools',
      issuer: 'https://token.example',
      repository: 'org/tools',
      ref: 'refs/heads/main',
      environment: null,
    };
    expect(await addTrustedPublisher({ db: db() }, { ...trust, [name]: value }, ACT)).toMatchObject([
      expect.stringContaining(name === 'repositoryId' ? '--repository-id' : name),
    ]);
    expect(await addTrustedPublisher({ db: db() }, { ...trust, unit: 'nothing' }, ACT)).toMatchObject([
      expect.stringContaining('nothing'),
    ]);
  });
});

/** Sends keys until the client has had enough. */
function flood(res: ServerResponse) {
  res.write('{"keys":[');
  const timer = setInterval(() => res.write(`"${'x'.repeat(100_000)}",`), 1);
  res.on('close', () => clearInterval(timer));
  onTestFinished(() => clearInterval(timer));
}
