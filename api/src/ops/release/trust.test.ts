import { expect, test } from 'vitest';
import { listen } from '#api/test/listen.ts';
import { startFakeIssuer } from '#api/test/delivery/fake-issuer.ts';
import { buildRoute } from '#api/test/delivery/build-release.ts';
import { openReleaseTerminal } from '#api/test/programs/open-release-terminal.ts';
import { readAudit } from '#api/test/sealed.ts';
import { findIdToken } from './remote-site.ts';

const PREVIEW = '1.1.0-preview.0a1b2c3d4e5f';

/** A site that trusts the CI of `org/tools`, and what GitHub gives its jobs. */
async function openCi() {
  const terminal = await openReleaseTerminal();
  const { origin, now } = terminal.api;
  const issuer = await startFakeIssuer(origin, now);
  const asked: string[] = [];
  let claims: Record<string, unknown> = {};
  const github = await listen((req, res) => {
    asked.push(`${req.headers.authorization ?? ''} ${req.url ?? ''}`);
    void issuer.sign({ claims }).then((value) => res.end(JSON.stringify({ value })));
  });
  const trust = ['--issuer', issuer.issuer, '--repository', 'org/tools', '--ref', 'refs/heads/main'];
  const env = { ACTIONS_ID_TOKEN_REQUEST_URL: `${github}/?v=1`, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of this run' };
  return {
    ...terminal,
    issuer,
    asked,
    trust,
    runAs: (changed: Record<string, unknown>) => void (claims = changed),
    typeInCi: (...argv: string[]) => terminal.typeWith(findIdToken(env), ...argv),
  };
}

test('threat 57: a CI job without a secret publishes a preview of a pull request, then the release and its promotion', async () => {
  const { type, typeInCi, build, trust, runAs, api, asked } = await openCi();
  const { out } = await type('trust', 'add', 'tools', ...trust);
  expect(out).toMatch(
    /^org\/tools at refs\/heads\/main may publish and change tools; its pull requests .* \(trust \w+\)\.$/,
  );
  expect((await type('trust', 'add', 'tools', ...trust)).out).toBe(out);

  runAs({ event_name: 'pull_request', ref: 'refs/pull/12/merge', run_id: '12' });
  build(PREVIEW, { routes: [buildRoute('/encrypter')] });
  const previewed = await typeInCi('publish', 'tools', '--preview', '--days', '2', '--json');
  expect(JSON.parse(previewed.out)).toMatchObject({
    outcome: 'published',
    version: PREVIEW,
    preview: {
      link: expect.stringMatching(`^${api.origin}/encrypter\\?pin=tools@${PREVIEW}&qa=`) as string,
      until: api.now() + 2 * 24 * 60 * 60 * 1000,
    },
  });
  build('1.1.0', { routes: [buildRoute('/encrypter')] });
  expect(await typeInCi('publish', 'tools', '--promote')).toMatchObject({
    code: 1,
    err: expect.stringContaining('A pull request may only check, and publish previews.') as string,
  });
  expect((await typeInCi('check', 'tools')).code).toBe(0);

  runAs({ run_id: '13' });
  expect((await typeInCi('publish', 'tools', '--promote')).out).toContain('tools: stable 1.1.0');
  expect((await typeInCi('list', 'tools')).out).toContain(
    `tools@${PREVIEW} is a preview by org/tools, run 12, 0a1b2c3d4e5f, until`,
  );
  // Each command asks for a token of its own, for this site.
  expect(asked).toHaveLength(5);
  expect(new Set(asked)).toEqual(new Set([`Bearer of this run /?v=1&audience=${encodeURIComponent(api.origin)}`]));

  const by = (await readAudit(api.db)).map(({ detail }) => detail['by']);
  expect(by.slice(-5)).toEqual([
    'ada',
    // Its first call tells which repository it is.
    ...Array.from({ length: 2 }, () => 'org/tools, run 12, 0a1b2c3d4e5f'),
    ...Array.from({ length: 2 }, () => 'org/tools, run 13, 0a1b2c3d4e5f'),
  ]);
  expect(api.logged.join('')).not.toMatch(/eyJ\w/);
});

test('one ID token of a GitLab job serves several requests of one command, and no second command', async () => {
  const { type, typeWith, build, trust, issuer } = await openCi();
  await type('trust', 'add', 'tools', ...trust, '--repository-id', '456789');
  build('1.0.0', { routes: [buildRoute('/encrypter')] });
  const given = findIdToken({ RELEASE_ID_TOKEN: await issuer.sign() });

  expect((await typeWith(given, 'publish', 'tools', '--promote')).out).toContain('tools: stable 1.0.0');
  expect(await typeWith(given, 'list', 'tools')).toMatchObject({
    code: 1,
    err: 'The ID token was used before, and works once. Ask the CI for another one, or get a session for several calls.',
  });
  expect((await type('trust', 'list')).out).toContain('456789');
});

test('trusted pipelines are listed and can be removed at once', async () => {
  const { type, typeInCi, build, trust } = await openCi();
  await type('trust', 'add', 'tools', ...trust, '--environment', 'everybody');
  const { out } = await type('trust', 'list', '--json');
  const [{ id = '' } = {}, ...others] = JSON.parse(out) as { id: string }[];
  expect(others).toEqual([]);
  expect((await type('trust', 'list')).out).toContain('everybody');

  build('1.0.0');
  expect((await typeInCi('publish', 'tools')).err).toContain('Nobody trusts org/tools at refs/heads/main here.');
  expect(await type('trust', 'remove', id)).toMatchObject({ code: 0 });
  expect((await typeInCi('publish', 'tools')).err).toContain('No operator of this site trusts the issuer');
  expect(await type('trust', 'remove', id)).toMatchObject({ code: 1 });
  expect(await type('trust', 'add', 'tools', ...trust.with(3, 'tools'))).toMatchObject({ code: 1, out: '' });
  expect(await type('trust', 'add', 'nothing', ...trust)).toMatchObject({ code: 1, out: '' });
});

test('a CI without an ID token is reported, and the token of GitLab is read from the environment', async () => {
  const { typeWith, build } = await openCi();
  build('1.0.0');
  const bearer = { ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'x' };
  for (const [answer, why] of [
    ['no JSON', 'it answered 200'],
    ['{}', 'it answered 200'],
  ] as const) {
    const url = await listen((_req, res) => res.end(answer));
    const failed = await typeWith(findIdToken({ ...bearer, ACTIONS_ID_TOKEN_REQUEST_URL: url }), 'publish', 'tools');
    expect(failed.err).toContain(`The CI gave no ID token: ${why}`);
  }
  const dead = findIdToken({ ...bearer, ACTIONS_ID_TOKEN_REQUEST_URL: 'http://127.0.0.1:1' });
  expect((await typeWith(dead, 'publish', 'tools')).err).toContain('it cannot be reached');

  expect(await findIdToken({ RELEASE_ID_TOKEN: 'given' })?.('https://site.example')).toBe('given');
  expect(findIdToken(bearer)).toBeUndefined();
});

test('a redirect to another origin receives neither the ID token nor the identity of the CI run', async () => {
  const { typeWith, build } = await openCi();
  build('1.0.0');
  const asked: unknown[] = [];
  const elsewhere = await listen((req, res) => {
    asked.push(req.url);
    res.end('{"value": "another"}');
  });
  const url = await listen((_req, res) => res.writeHead(302, { location: elsewhere }).end());
  const env = { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'x' };

  expect((await typeWith(findIdToken(env), 'publish', 'tools')).err).toContain('The CI gave no ID token');
  expect(asked).toEqual([]);
});

test('--preview requires a site and a preview build, and rejects a channel', async () => {
  const { type, typeTo, build } = await openReleaseTerminal();
  const folder = build('1.0.0');

  expect(await type('publish', 'tools', '--preview')).toMatchObject({ code: 2 });
  expect(await typeTo('publish', 'tools', '--days', '3')).toMatchObject({ code: 2 });
  expect(await typeTo('publish', 'tools', '--preview', '--promote')).toMatchObject({ code: 2 });
  expect(await typeTo('publish', 'tools', '--preview', '--days', '31')).toMatchObject({ code: 2 });
  expect((await typeTo('publish', 'tools', '--preview', '--from', folder)).err).toContain('RELEASE_PREVIEW=1');
});
