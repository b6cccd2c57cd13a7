import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listChannelChanges } from '#api/test/delivery/add-release.ts';
import { buildRoute } from '#api/test/delivery/build-release.ts';
import { findDeadOrigin, listen } from '#api/test/listen.ts';
import { openReleaseTerminal } from '#api/test/programs/open-release-terminal.ts';

const DAY = 24 * 60 * 60 * 1000;

test.each(['over HTTP', 'on the machine of the site'])(
  'a release is published to all visitors and rolled back, %s',
  async (where) => {
    const { type, typeTo, build, api, registry } = await openReleaseTerminal();
    const run = where === 'over HTTP' ? typeTo : type;
    const by = where === 'over HTTP' ? 'tools CI' : 'ada';
    const say = async (...argv: string[]) => (await run(...argv)).out.split('\n');

    build('1.0.0', { routes: [buildRoute('/encrypter')] });
    expect(await say('publish', 'tools', '--promote')).toEqual([
      'tools@1.0.0 is published.',
      'It is the first release.',
      expect.stringContaining('size'),
      '  contract  1.0',
      '  pages     +/encrypter',
      expect.stringContaining('files     2 new, 0 gone, 0 the same'),
      'tools: stable 1.0.0, no canary, last good none.',
    ]);
    build('1.1.0');
    for (const command of ['check', 'publish'])
      expect(await run(command, 'tools')).toMatchObject({
        code: 1,
        err: expect.stringContaining(
          '/encrypter is a page of 1.0.0, the stable one: name it with --remove-page',
        ) as string,
      });
    expect(await say('publish', 'tools', '--remove-page', '/encrypter', '--canary', '10')).toContain(
      'tools: stable 1.0.0, canary 1.1.0 at 10 %, last good none.',
    );
    expect(await say('canary', 'tools', '--percent', '25.5')).toContain(
      'tools: stable 1.0.0, canary 1.1.0 at 25.5 %, last good none.',
    );
    expect(await say('promote', 'tools')).toEqual(['tools: stable 1.1.0, no canary, last good 1.0.0.']);
    expect(await say('promote', 'tools', '1.1.0')).toEqual([
      'tools: stable 1.1.0, no canary, last good 1.0.0. Nothing had to be changed.',
    ]);
    expect(await say('rollback', 'tools')).toEqual(['tools: stable 1.0.0, no canary, last good none.']);
    await registry.refresh();
    expect(registry.snapshot().units.get('tools')).toMatchObject({ stable: { version: '1.0.0' } });

    const changes = await listChannelChanges(api.db);
    expect(changes).toHaveLength(5);
    for (const change of changes) expect(change).toMatch(new RegExp(`by ${by}$`));
  },
);

test('publishing the same release again succeeds, another release of the same version is rejected', async () => {
  const { typeTo, build } = await openReleaseTerminal();
  const folder = build('1.0.0');

  expect(await typeTo('publish', 'tools', '--from', folder)).toMatchObject({ code: 0 });
  expect(await typeTo('publish', 'tools', '--from', folder)).toMatchObject({
    code: 0,
    out: expect.stringContaining('tools@1.0.0 was published before, with the same files.') as string,
  });
  build('1.0.0', { commit: '0123abd' });
  expect(await typeTo('publish', 'tools')).toMatchObject({
    code: 0,
    out: expect.stringContaining('tools@1.0.0 was published before, with the same files.') as string,
  });
  build('1.0.0', { routes: [buildRoute('/encrypter')] });
  expect(await typeTo('publish', 'tools')).toMatchObject({
    code: 1,
    out: '',
    err: 'Building tools …\ntools@1.0.0 is published already, with other content: raise the version',
  });
});

test.each(['over HTTP', 'on the machine of the site'])(
  'check lists every reason for a rejection and publishes nothing, %s',
  async (where) => {
    const { type, typeTo, build, api } = await openReleaseTerminal();
    const run = where === 'over HTTP' ? typeTo : type;

    const folder = build('1.0.0', { routes: [buildRoute('/plans'), buildRoute('/gate')] });
    expect(await run('check', 'tools', '--from', folder)).toEqual({
      code: 1,
      out: '',
      err: '/plans belongs to marketing\n/gate belongs to key-system',
    });
    const good = build('1.0.0', { routes: [buildRoute('/encrypter')] });
    expect(await run('check', 'tools', '--from', good)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^tools@1\.0\.0 can be published\.\nIt is the first release\.\n/) as string,
    });
    expect(await api.db.selectFrom('release').selectAll().execute()).toEqual([]);
  },
);

test('a file that is missing or differs from its hash is reported', async () => {
  const { typeTo, build } = await openReleaseTerminal();
  const folder = build('1.0.0');

  writeFileSync(join(folder, 'remoteEntry.js'), 'other');
  expect((await typeTo('publish', 'tools', '--from', folder)).err).toContain(
    'remoteEntry.js is not the file that release.json lists',
  );
  rmSync(join(folder, 'remoteEntry.js'));
  expect((await typeTo('publish', 'tools', '--from', folder)).err).toBe(
    `remoteEntry.js, which release.json lists, is not in ${folder}.`,
  );
  rmSync(join(folder, 'release.json'));
  expect((await typeTo('publish', 'tools', '--from', folder)).err).toContain('There is no release.json in');
  expect(await typeTo('publish', 'marketing', '--from', build('1.0.0'))).toMatchObject({ code: 1 });
});

test('a locked unit rejects promotions and accepts new releases', async () => {
  const { type, typeTo, build } = await openReleaseTerminal();
  build('1.0.0');
  await typeTo('publish', 'tools', '--promote');
  await type('lock', 'tools', '--reason', 'tournament');

  build('1.1.0');
  expect(await typeTo('publish', 'tools', '--promote')).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /tools@1\.1\.0 is published\. Its channel was not changed:\ntools is locked by ada since .*Z: tournament$/,
    ) as string,
  });
  expect(await type('promote', 'tools', '1.1.0')).toMatchObject({ code: 1 });
  expect(await typeTo('unlock', 'tools')).toMatchObject({ code: 0 });
  expect(await typeTo('promote', 'tools', '1.1.0')).toMatchObject({ code: 0 });
});

test('the list reports damaged files only on the server that has them', async () => {
  const { store, health, type, typeTo, build } = await openReleaseTerminal();
  build('1.0.0');
  await typeTo('publish', 'tools', '--promote');
  rmSync(join(store.folder, 'tools/1.0.0/static/css/a.css'));
  await health.turn();

  const damage = 'tools@1.0.0 is damaged on the disk of the server: static/css/a.css is gone';
  expect((await typeTo('list', 'tools')).out).toContain(damage);
  expect((await typeTo('show', 'tools', '1.0.0')).out).toContain(damage);
  expect((await type('list', 'tools')).out).not.toContain('damaged');
});

test('the list shows each release with its channel, its team and halted versions', async () => {
  const { api, typeTo, build } = await openReleaseTerminal();
  build('1.0.0', { commit: 'abcdef0123456789' });
  await typeTo('publish', 'tools', '--promote');
  build('1.1.0', { commit: null });
  await typeTo('publish', 'tools', '--canary', '10');
  await typeTo('halt', 'tools', '--reason', 'a blank page');

  const { out } = await typeTo('list', 'tools');
  expect(out).toMatch(/tools {2}1\.1\.0 +halted +\S+ \S+ +tools CI +none +1\.0 +\d+ +\+0/);
  expect(out).toMatch(/tools {2}1\.0\.0 +stable +\S+ \S+ +tools CI +abcdef0 +1\.0 +\d+/);
  expect(out).toMatch(/tools@1\.1\.0 was halted at .*Z: a blank page$/);
  expect((await typeTo('list')).out).toContain('marketing   (no release)');
  await api.post('/api/load-reports', { unit: 'tools', version: '1.0.0', failure: 'error' });
  await api.followRegistry();
  expect((await typeTo('list', 'tools')).out).toMatch(/tools {2}1\.0\.0 .* 1 network$/m);
  expect((await typeTo('show', 'tools', '1.1.0')).out).toContain('a blank page');
  expect(await typeTo('show', 'tools', '2.0.0')).toMatchObject({ code: 1 });
  expect(JSON.parse((await typeTo('list', 'tools', '--json')).out)).toMatchObject({
    units: [{ unit: 'tools', stable: '1.0.0', releases: [{ version: '1.1.0' }, { version: '1.0.0' }] }],
  });
});

test('the list reports a canary that is slower than the stable release', async () => {
  const { api, typeTo, type, build } = await openReleaseTerminal();
  build('1.0.0');
  await typeTo('publish', 'tools', '--promote');
  build('1.1.0', { commit: null });
  await typeTo('publish', 'tools', '--canary', '10');
  const counted = (version: string, bucket: number) =>
    ({ unit: 'tools', version, day: 1e6, page: '/encrypter', cached: 0, timing: 'lcp', bucket, visits: 500 }) as const;
  await api.db
    .insertInto('fieldTiming')
    .values([counted('1.0.0', 70), counted('1.1.0', 80)])
    .execute();

  const sentence =
    'tools@1.1.0 is slower than the stable release: its largest part is painted after 2148 ms, not 828 ms (medians of 500 visits each to the same pages).';
  for (const run of [type, typeTo]) {
    expect((await run('list', 'tools')).out.split('\n')).toContain(sentence);
    expect((await run('show', 'tools', '1.1.0')).out).toContain(sentence);
    expect((await run('show', 'tools', '1.0.0')).out).not.toContain('slower');
  }
});

test('each reason to reject a deploy token has its own message', async () => {
  const { api, type, typeWith, build, tokenOf } = await openReleaseTerminal();
  build('1.0.0');
  const publish = (token: string | undefined) => typeWith(token, 'publish', 'tools');

  expect(await publish(undefined)).toMatchObject({ code: 2, err: expect.stringContaining('RELEASE_TOKEN') as string });
  expect((await publish('deploy_wrong')).err).toContain('There is no such deploy token. Check RELEASE_TOKEN.');
  expect((await publish(await tokenOf('marketing'))).err).toContain(
    'The deploy token is for marketing, not for tools.',
  );
  const made = JSON.parse((await type('token', 'create', 'tools', '--for', 'Tess', '--days', '7', '--json')).out) as {
    id: string;
    token: string;
  };
  expect((await publish(made.token)).code).toBe(0);
  await type('token', 'revoke', made.id);
  expect((await publish(made.token)).err).toContain('The deploy token was revoked. Check RELEASE_TOKEN.');
  api.pass(2 * DAY);
  expect((await publish(await tokenOf('tools'))).code).toBe(0);
});

test.each([
  ['http://site.example', 2, 'The deploy token is only sent over https: use https://site.example.'],
  ['site.example', 2, '--to is the address of a site, such as https://site.example.'],
  ['ftp://site.example', 2, '--to is the address of a site'],
  ['https://tess:secret@site.example', 2, '--to has no name and no password in it.'],
  ['https://site.example/qa/releases', 2, '--to is the address of a site, without a path: use https://site.example.'],
])('threat 39: the token is not sent to %s', async (to, code, words) => {
  const { typeAt } = await openReleaseTerminal();

  const refused = await typeAt(to, 'list');
  expect(refused).toMatchObject({ code, out: '' });
  expect(refused.err).toContain(words);
});

test('a site address without this product or without a server is reported', async () => {
  const { typeAt } = await openReleaseTerminal();
  const dead = await findDeadOrigin();
  const other = await listen((_req, res) => res.end('<h1>Hello</h1>'));
  const leading = await listen((_req, res) => res.writeHead(301, { location: 'https://site.example/' }).end());
  const rude = await listen((req) => req.socket.destroy());

  expect((await typeAt(dead, 'list')).err).toBe(`Nothing answers at ${dead}. Is the site running there?`);
  expect((await typeAt(dead.replace('http', 'https'), 'list')).err).toContain('Nothing answers at https://');
  expect((await typeAt(other.replace('http', 'https'), 'list')).err).toContain('does not speak https');
  expect((await typeAt(other, 'list')).err).toBe(
    `${other} answers with status 200, but not as this product does: check the address.`,
  );
  expect((await typeAt(leading, 'promote', 'tools')).err).toBe(
    `${leading} leads to https://site.example/: name that one.`,
  );
  expect((await typeAt(rude, 'promote', 'tools')).err).toContain('broke before the answer. Type the same again');
});

test.each([
  [['promote', '../etc'], 'must consist of lower-case words'],
  [['promote', 'tools', 'latest'], 'must be a version such as 1.4.0'],
  [['canary', 'tools', '--percent', '0'], 'It is no number from 0.01 to 100.'],
  [['canary', 'tools'], "required option '--percent <percent>' not specified"],
  [['halt', 'tools'], "required option '--reason <text>' not specified"],
  [['lock', 'tools', '--reason', 'x'], '--reason is too short.'],
  [['publish', 'tools', '--promote', '--canary', '5'], 'cannot be used with'],
  [['publish', 'tools', '--preview', '--if-new'], "'--if-new' cannot be used with option '--preview'"],
  [['token', 'create', 'tools', '--for', 'x', '--days', '366'], 'It is no number from 1 to 365.'],
  [['gc', '--to', 'https://site.example'], 'without --to'],
  [['verify', 'tools', '--to', 'https://site.example'], 'without --to'],
  [['token', 'list', '--to', 'https://site.example'], 'without --to'],
  [['unit', 'list', '--to', 'https://site.example'], 'without --to'],
])('the command %j is rejected with a reason', async (argv, words) => {
  const { type } = await openReleaseTerminal();

  const refused = await type(...argv);
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.err).toContain(words);
  expect(refused.err).toContain('npm run release -- ');
});
