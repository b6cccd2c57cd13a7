import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { startFakeAdvertisers } from '../attack/fakes/advertisers.ts';
import { createPlayer } from '../attack/players/player.ts';
import { createClient } from '../attack/world/client.ts';
import { createRandom } from '../attack/world/random.ts';
import { buildOutdated } from '../units/build-units.ts';
import { isAlive, POLLING, start, START_TIMEOUT_MS } from './test/started-server.ts';

/** Makes the disk refuse what the server writes to it, once a file says so. */
const FAILING_DISK = `data:text/javascript,${encodeURIComponent(`
  import { existsSync } from 'node:fs';
  import { open } from 'node:fs/promises';
  const handle = await open(process.execPath);
  const files = Object.getPrototypeOf(handle);
  await handle.close();
  const { datasync } = files;
  files.datasync = function () {
    return existsSync(process.env.DATA_DIR + '/the-disk-fails') ? Promise.reject(new Error('EIO: i/o error, fdatasync')) : datasync.call(this);
  };`)}`;

beforeAll(() => buildOutdated(undefined, process.stderr), START_TIMEOUT_MS);

test(
  'SIGTERM while the database is locked: a confirmed step is written before the server ends',
  async () => {
    const { server, letGo, readStep } = await comeBackToLockedDatabase();
    expect(readStep()).toMatchObject({ step: 1, attempt: 'checking' });

    server.child.kill('SIGTERM');
    await expect.poll(() => server.lines.some((line) => line.includes('"msg":"stopping"')), POLLING).toBe(true);
    letGo();

    await once(server.child, 'close');
    await expect.poll(() => !isAlive(server.pid), POLLING).toBe(true);
    expect(server.lines.at(-1)).toContain('"msg":"stopped"');
    expect(readStep()).toMatchObject({ step: 2, attempt: 'verified' });
  },
  START_TIMEOUT_MS,
);

test(
  'a failed disk ends the server with exit code 74, and no write is acknowledged',
  async () => {
    const server = await start(process.execPath, ['--import', FAILING_DISK, 'dist/api/main.js'], {
      TEST_CAPTCHA_COST: '1',
    });
    const client = createClient(server.url.replace('127.0.0.1', 'localhost'));
    onTestFinished(() => client.close());
    const world = { client, solved: new Map(), tickets: new Map(), now: Date.now, dwellMs: 0 };
    const visitor = createPlayer(
      { ...world, advertisers: {} as never },
      { random: createRandom(1), address: '127.0.0.1' },
    );
    const solution = await visitor.solveCaptcha();
    const ended = once(server.child, 'close');

    writeFileSync(join(server.dataDir, 'the-disk-fails'), '');
    const status = await visitor.handIn(solution).then(
      (answer) => answer.status,
      () => undefined,
    );

    expect(status).not.toBe(200);
    expect((await ended)[0]).toBe(74);
    const fatal = server.lines.filter((line) => line.includes('"level":60'));
    expect(fatal).toEqual([expect.stringContaining('the disk has failed')]);
  },
  START_TIMEOUT_MS,
);

test(
  'metrics are served at METRICS_PORT, and neither a scrape nor an open page delays SIGTERM',
  async () => {
    const { server, scrape } = await startMeasured();
    expect(await statusOf(`${server.url}/v5`)).toBe(200);

    const counted = /^http_request_duration_seconds_count\{method="GET",route="\/v5",status="2xx"\} 1$/m;
    await expect.poll(() => scrape(), POLLING).toMatch(counted);

    const page = new WebSocket(`${server.url.replace('http', 'ws')}/`, { origin: server.url });
    await once(page, 'message');
    server.child.kill('SIGTERM');
    expect(await once(page, 'close')).toEqual([1012, expect.anything()]);
    await once(server.child, 'close');
    expect(server.lines.at(-1)).toContain('"msg":"stopped"');
  },
  START_TIMEOUT_MS,
);

test(
  'during STOP_DELAY_MS /readyz is 503, systemd is notified once, and visitors are answered',
  async () => {
    const { settings, heard } = plantSupervisor();
    const { server, scrape } = await startMeasured({ STOP_DELAY_MS: '60000', ...settings });
    expect(await statusOf(`${server.url}/readyz`)).toBe(200);
    await expect.poll(() => heard(), POLLING).toBe('READY=1\n');

    server.child.kill('SIGTERM');
    await expect.poll(() => statusOf(`${server.url}/readyz`), POLLING).toBe(503);
    await expect.poll(() => heard(), POLLING).toBe('READY=1\nSTOPPING=1\n');
    server.child.kill('SIGTERM');

    const page = await fetch(`${server.url}/v5`);
    expect([page.status, page.headers.get('connection')]).toEqual([200, 'close']);
    expect(await scrape()).toContain('http_errors_total{code="server.stopping"}');
    expect(server.lines.filter((line) => line.includes('"msg":"stopping"'))).toHaveLength(1);
  },
  START_TIMEOUT_MS,
);

test(
  'settings reach pages and the live count, and an unknown one is logged as a warning',
  async () => {
    const { lines, url } = await startBuilt({
      RECAPTCHA_COLOUR: 'blue',
      CHUNK_TIMEOUT_MS: '5000',
      LIVE_MAX_SOCKETS_PER_NETWORK: '1',
    });
    const page = await (await fetch(`${url}/`)).text();
    expect(page).toContain('"launchUrl":"roblox://"');
    expect(page).toContain('"chunkTimeoutMs":5000');
    expect(lines.join()).not.toContain('"msg":"metrics"');
    expect(lines.filter((line) => line.includes('no setting has this name'))).toEqual([
      expect.stringMatching(/"level":40.*"setting":"RECAPTCHA_COLOUR"/),
    ]);

    const sockets = [1, 2].map(() => new WebSocket(`${url.replace('http', 'ws')}/`, { origin: url }));
    onTestFinished(() => sockets.forEach((socket) => socket.terminate()));
    const refused = Promise.race(sockets.map((socket) => once(socket, 'close')));
    await Promise.all(sockets.map((socket) => once(socket, 'message')));
    expect(await refused).toEqual([1013, expect.anything()]);
  },
  START_TIMEOUT_MS,
);

test(
  'files of the server are readable by its own user alone, whatever the umask',
  async () => {
    const { dataDir, url } = await start('sh', ['-c', 'umask 000; exec "$0" dist/api/main.js', process.execPath]);
    await fetch(`${url}/api/keysystem/state?hwid=device-1234&zone=zone-1`);
    await expect
      .poll(
        () => readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).some((name) => name.endsWith('.jws')),
        POLLING,
      )
      .toBe(true);

    const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
    expect(names).toEqual(expect.arrayContaining(['app.sqlite', 'secrets/hwid-pepper', 'content/users.txt']));
    expect(names).toContainEqual(expect.stringMatching(/^audit-trust\/keys\/.+\.json$/));
    const modes = names
      .map((name) => ({ name, stat: statSync(join(dataDir, name)) }))
      .map(({ name, stat }) => `${name} ${(stat.mode & 0o777).toString(8)} ${stat.isFile() ? 'file' : 'folder'}`);
    expect(modes.filter((mode) => !/ (600 file|700 folder)$/.test(mode))).toEqual([]);
  },
  START_TIMEOUT_MS,
);

test(
  'a server starts with the pepper of its database alone, with a new signing key only in an emergency, and warns of one that others can read',
  async () => {
    const first = await startBuilt();
    first.child.kill('SIGTERM');
    await once(first.child, 'close');
    const again = (settings: Record<string, string>) => startBuilt({ DATA_DIR: first.dataDir, ...settings });
    const SIGNING_KEY_FILE = join(first.dataDir, 'new-key.json');
    const { privateKey } = generateKeyPairSync('ed25519');
    const key = JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: 'new-key' });
    writeFileSync(SIGNING_KEY_FILE, key, { mode: 0o644 });

    await expect(again({ HWID_PEPPER: 'another pepper, which is long enough' })).rejects.toThrow('It ended with 1');
    await expect(again({ SIGNING_KEY_FILE })).rejects.toThrow('It ended with 1');
    const { lines } = await again({ SIGNING_KEY_FILE, SIGNING_KEY_EMERGENCY: 'new-key' });
    expect(lines.join()).toContain('"kid":"new-key"');
    expect(lines).toContainEqual(expect.stringMatching(/"level":40.*"setting":"SIGNING_KEY_FILE".*chmod 600/));
  },
  START_TIMEOUT_MS,
);

const startBuilt = (settings: Record<string, string> = {}) => start(process.execPath, ['dist/api/main.js'], settings);

/** Starts a server whose metrics can be scraped. */
async function startMeasured(settings: Record<string, string> = {}) {
  const server = await startBuilt({ METRICS_PORT: '0', ...settings });
  const line = server.lines.find((said) => said.includes('"msg":"metrics"')) ?? '{}';
  const { port } = JSON.parse(line) as { port?: number };
  const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return { server, scrape };
}

/** Puts a program in the place of systemd's own, which writes down what it is told. */
function plantSupervisor() {
  const folder = mkdtempSync(join(tmpdir(), 'supervisor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const said = join(folder, 'said');
  writeFileSync(said, '');
  writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$*" >> '${said}'\n`, { mode: 0o755 });
  return {
    settings: { NOTIFY_SOCKET: '/run/supervisor', PATH: `${folder}:${process.env['PATH']}` },
    heard: () => readFileSync(said, 'utf8'),
  };
}

async function statusOf(address: string): Promise<number> {
  return (await fetch(address)).status;
}

/**
 * A visitor who is back with a proof while another program takes the database, just before the advertiser confirms it.
 * The visitor waits on a page, and the server for the database.
 */
async function comeBackToLockedDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'locked-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const advertisers = await startFakeAdvertisers({ now: Date.now, callServer: () => Promise.resolve() });
  onTestFinished(() => advertisers.stop());

  let lock = () => {};
  const linkvertise = createServer((_req, res) => {
    lock();
    res.end('TRUE');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void linkvertise.close());
  await once(linkvertise, 'listening');

  const apiBase = `http://127.0.0.1:${(linkvertise.address() as AddressInfo).port}`;
  const settings = { ...advertisers.settings, linkvertise: { ...advertisers.settings.linkvertise, apiBase } };
  const ADVERTISERS_FILE = join(folder, 'advertisers.json');
  writeFileSync(ADVERTISERS_FILE, JSON.stringify(settings));
  const server = await startBuilt({ ADVERTISERS_FILE, TEST_CAPTCHA_COST: '1', TEST_MIN_DWELL_MS: '0' });

  const database = new DatabaseSync(join(server.dataDir, 'app.sqlite'), { timeout: 5000 });
  onTestFinished(() => void database.close());
  lock = () => void database.exec('begin immediate');

  const client = createClient(server.url.replace('127.0.0.1', 'localhost'));
  onTestFinished(() => client.close());
  const world = { client, advertisers, solved: new Map(), tickets: new Map(), now: Date.now, dwellMs: 0 };
  const visitor = createPlayer(world, { random: createRandom(1), address: '127.0.0.1' });
  await visitor.passCaptcha();
  const { link, answer } = await visitor.clickComplete();
  if (link === undefined) throw new Error(`No way to an advertiser: ${answer.status}`);
  const returnUrl = new URL(await advertisers.finish(link));
  const back = await visitor.comeBack(returnUrl.href);
  if (back.headers.refresh === undefined) throw new Error(`The return was not to wait: ${back.status}`);

  return {
    server,
    letGo: () => void database.exec('rollback'),
    /** Where the only run stands, and its attempt. */
    readStep: () =>
      database
        .prepare(
          'select run.step, step_attempt.id, step_attempt.state as attempt from run join step_attempt on run_id = run.id',
        )
        .get(),
  };
}
