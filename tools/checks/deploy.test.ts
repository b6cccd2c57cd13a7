import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { DEFAULT_LIMITS } from '../../api/src/product/limits/limits.ts';
import { ERRORS } from '../../shared/contracts/src/errors.ts';
import { expect, test } from 'vitest';

const guide = read('docs/deploy.md') + read('docs/one-server.md');

test('no setting in the guides has a comment on its line, which systemd would read as a part of the value', () => {
  const settings = guide.match(/^[A-Z][A-Z_]+=.*$/gm) ?? [];

  expect(settings).toContain('TRUST_PROXY=1');
  expect(settings.filter((line) => /\s#/.test(line))).toEqual([]);
});

const linesOf = (file: string) =>
  read(file)
    .split('\n')
    .map((line) => line.trim().replaceAll(/ +/g, ' '));

test('Patroni is told what keeps confirmed writes, and lets the site into the database of a restore', () => {
  const lines = linesOf('deploy/patroni/patroni.yml');

  for (const line of [
    'ttl: 20',
    'loop_wait: 1',
    'retry_timeout: 3',
    'synchronous_mode: on',
    'synchronous_mode_strict: true',
    'synchronous_node_count: 1',
    'failsafe_mode: true',
    'use_pg_rewind: true',
    'wal_log_hints: on',
    '- hostssl site,site_restored site 10.0.0.0/24 scram-sha-256',
  ])
    expect(lines).toContain(line);
});

test('hosts of the database change nothing without a certificate, keep values out of logs, and do not fill their disks', () => {
  const files = {
    'deploy/patroni/patroni.yml': [
      'verify_client: optional',
      'log_min_error_statement: panic',
      'log_parameter_max_length: 0',
      'log_parameter_max_length_on_error: 0',
      'max_slot_wal_keep_size: 8GB',
    ],
    'deploy/patroni/etcd.conf': [
      'Environment=ETCD_CLIENT_CERT_AUTH=true',
      'Environment=ETCD_PEER_CLIENT_CERT_AUTH=true',
      'Environment=ETCD_AUTO_COMPACTION_RETENTION=1h',
    ],
    'deploy/patroni/patroni.conf': ['KillMode=mixed', 'Restart=always'],
    'deploy/patroni/make-secrets.sh': ['umask 077'],
    'deploy/haproxy/haproxy.cfg': ['hard-stop-after 10s'],
  };

  for (const [file, lines] of Object.entries(files)) expect(linesOf(file)).toEqual(expect.arrayContaining(lines));
  // A further host gets what the others have.
  expect(read('deploy/patroni/make-secrets.sh')).toMatch(/^\[ -e ca\.key \] \|\| [^]*^\[ -e passwords\.env \] \|\| /m);
  // Patroni of the former primary may hang, and its PostgreSQL still answer.
  expect(read('deploy/haproxy/haproxy.cfg')).toMatch(
    /^ +default-server .*\bverify required .*\bon-marked-down shutdown-sessions$/m,
  );
});

test('.env.example has each setting once', () => {
  const names = [...read('.env.example').matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name);

  expect(names).toContain('DATABASE_POOL');
  expect(names.filter((name, nth) => names.indexOf(name) !== nth)).toEqual([]);
});

test('every start of a server in production has the memory of npm start', () => {
  const program = read('tools/site/fork-server.ts');
  const settings = program.match(/--max-[a-z-]+=\d+/g) ?? [];

  expect(settings).toHaveLength(2);
  expect(program).toContain("MALLOC_ARENA_MAX: '1'");
  for (const file of ['deploy/systemd/site@.service', 'Dockerfile', 'docs/operations.md'])
    for (const setting of ['MALLOC_ARENA_MAX=1', ...settings]) expect(read(file), file).toContain(setting);
});

test('every start in production has --disable-sigusr1', () => {
  const starts = [
    ...(read('deploy/systemd/site@.service') + read('deploy/systemd/site-signer.service')).matchAll(/^ExecStart=.*/gm),
    ...read('Dockerfile').matchAll(/^ENTRYPOINT .*/gm),
    ...read('docs/operations.md').matchAll(/^NODE_ENV=production .*\n?.* dist\/api\/main\.js$/gm),
  ].map(([line]) => line);

  expect(starts).toHaveLength(4);
  expect(starts.filter((line) => !line.includes('--disable-sigusr1'))).toEqual([]);
});

test('the guide creates every secret of compose.yaml', () => {
  const compose = read('compose.yaml');
  const [, guideOfContainers = ''] = guide.split('## In containers');
  const files = [...compose.matchAll(/file: (secrets\/\S+)/g)].map(([, file = '']) => file);

  expect(files).toContain('secrets/site.env');
  expect(files.filter((file) => !guideOfContainers.includes(file))).toEqual([]);
  expect(read('.dockerignore').split('\n')).toContain('secrets');
  expect(read('.gitignore').split('\n')).toContain('/secrets/');
});

test('every setting in the image and the guides exists', () => {
  const known = [...read('.env.example').matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name);
  const inImage = [...(/^ENV (NODE_ENV.*)$/m.exec(read('Dockerfile'))?.[1] ?? '').matchAll(/([A-Z_]+)=/g)];
  const named = [...inImage, ...guide.matchAll(/^([A-Z][A-Z_]+)=/gm)].map(([, name]) => name);

  expect(named).toEqual(expect.arrayContaining(['DATA_DIR', 'DATABASE_URL']));
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

test('documents give each error code its status', () => {
  const pages = execFileSync('git', ['ls-files', 'docs/*.md', '**/README.md'], { encoding: 'utf8' }).trim().split('\n');
  const told = pages
    .flatMap((page) => [...read(page).matchAll(/\b([45]\d\d)[ |:(]+((?:`[a-z]+\.[a-z_]+`[, ]*)+)/g)])
    .flatMap(([, status, codes = '']) => [...codes.matchAll(/[a-z]+\.[a-z_]+/g)].map(([code]) => ({ status, code })));

  expect(told).toContainEqual({ status: '422', code: 'release.misfit' });
  const statuses: Record<string, { status: number }> = ERRORS;
  expect(told.filter(({ status, code }) => String(statuses[code]?.status) !== status)).toEqual([]);
});

test('the privacy page states the retention of each table', () => {
  const said = JSON.parse(read('remotes/tools/src/messages/en.json')) as Record<string, string>;
  const { attempts, runs, keys, captchaPasses, unpaidOrders, resetRequests } = DEFAULT_LIMITS.retentionDays;
  const kept = { attempts, runs, keys, captcha: captchaPasses, unpaid: unpaidOrders, links: resetRequests };

  for (const [name, days] of Object.entries(kept))
    expect(parseInt(said[`stored.${name}.period`] ?? '', 10), name).toBe(days);
});

function read(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
}
