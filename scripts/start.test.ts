import crypto from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { comeBackToLockedDatabase } from './locked-return.ts';
import { isAlive, PATIENCE_MS, PATIENT, ROOT, start } from '../tools/site/started-server.ts';

function parentOf(pid: number): number {
  return Number(/^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
}

test(
  'SIGTERM to npm stops the server, in good order',
  async () => {
    const { child, pid, lines } = await start('npm', ['start']);

    child.kill('SIGTERM');

    await once(child, 'close');
    await vi.waitUntil(() => !isAlive(pid), PATIENT);
    expect(lines.at(-1)).toContain('"msg":"stopped"');
  },
  PATIENCE_MS,
);

test(
  'SIGTERM while another program holds the database: a step whose proof was confirmed is written before the server ends',
  async () => {
    const { server, letGo, readStep } = await comeBackToLockedDatabase();
    expect(readStep()).toMatchObject({ step: 1, attempt: 'checking' });

    server.child.kill('SIGTERM');
    await vi.waitUntil(() => server.lines.some((line) => line.includes('"msg":"stopping"')), PATIENT);
    letGo();

    await once(server.child, 'close');
    await vi.waitUntil(() => !isAlive(server.pid), PATIENT);
    expect(server.lines.at(-1)).toContain('"msg":"stopped"');
    expect(readStep()).toMatchObject({ step: 2, attempt: 'verified' });
  },
  PATIENCE_MS,
);

test(
  'SIGTERM while another program holds the database and keeps it: the server tells which step it could not write, and ends',
  async () => {
    const { server, letGo, readStep, secrets } = await comeBackToLockedDatabase();

    server.child.kill('SIGTERM');
    await once(server.child, 'close');
    await vi.waitUntil(() => !isAlive(server.pid), PATIENT);
    letGo();

    const [told = '', stopped] = server.lines.slice(-2);
    expect(stopped).toContain('"msg":"stopped"');
    expect(JSON.parse(told)).toMatchObject({ level: 50, msg: 'verdict not written', attempt: readStep()?.id });
    for (const secret of secrets) expect(told).not.toContain(secret);
    expect(readStep()).toMatchObject({ step: 1, attempt: 'checking' });
  },
  PATIENCE_MS,
);

test(
  'the server stops in good order when whoever started it was killed',
  async () => {
    const { child, pid, lines } = await start(process.execPath, ['scripts/start.ts']);
    expect(parentOf(pid)).toBe(child.pid);

    child.kill('SIGKILL');

    await vi.waitUntil(() => !isAlive(pid), PATIENT);
    await vi.waitUntil(() => lines.some((line) => line.includes('"msg":"stopped"')), PATIENT);
    expect(lines.find((line) => line.includes('"msg":"stopping"'))).toContain('"reason":"disconnect"');
  },
  PATIENCE_MS,
);

test(
  'whatever the server makes is for its own user alone, however lax the machine is',
  async () => {
    const { dataDir, url } = await start('sh', ['-c', 'umask 000; exec npm start']);
    await fetch(`${url}/api/keysystem/state?hwid=device-1234&zone=zone-1`);
    await vi.waitUntil(
      () => readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).some((name) => name.endsWith('.jws')),
      PATIENT,
    );

    const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
    expect(names).toEqual(expect.arrayContaining(['app.sqlite', 'secrets/hwid-pepper', 'content/users.txt']));
    const modes = names
      .map((name) => ({ name, stat: statSync(join(dataDir, name)) }))
      .map(({ name, stat }) => `${name} ${(stat.mode & 0o777).toString(8)} ${stat.isFile() ? 'file' : 'folder'}`);
    expect(modes.filter((mode) => !/ (600 file|700 folder)$/.test(mode))).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'links worth opening are printed while developing, and never in production',
  async () => {
    const development = await start('npm', ['start']);
    await vi.waitUntil(() => development.lines.some((line) => line.includes('hwid=demo-device-0001')), PATIENT);

    const folder = mkdtempSync(join(tmpdir(), 'production-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const production = await start('npm', ['start'], makeProduction(folder));
    const answer = await fetch(`${production.url}/healthz`);
    production.child.kill('SIGTERM');
    await once(production.child.stdout, 'close');

    expect(answer.status).toBe(200);
    expect(production.lines.filter((line) => line.includes('demo-device'))).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'a setting that nobody reads is warned of in the log',
  async () => {
    const { lines } = await start(process.execPath, ['scripts/start.ts'], { RECAPTCHA_COLOUR: 'blue' });

    expect(lines.filter((line) => line.includes('no setting has this name'))).toEqual([
      expect.stringMatching(/"level":40.*"setting":"RECAPTCHA_COLOUR"/),
    ]);
  },
  PATIENCE_MS,
);

test(
  'without settings pages wait 120 s for a part, Launch opens roblox:, and one network may have 500 sockets for the live count',
  async () => {
    const { url } = await start('npm', ['start'], { TRUST_PROXY: '1' });
    const page = await (await fetch(`${url}/`)).text();
    expect(page).toContain('"launchUrl":"roblox://"');
    expect(page).toContain('"chunkTimeoutMs":120000');

    /** Opens a socket, and waits for the count, which one that is refused receives before its end, too. */
    async function open(address: string): Promise<WebSocket> {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/`, {
        origin: url,
        headers: { 'x-forwarded-for': address },
      });
      onTestFinished(() => socket.terminate());
      await once(socket, 'message');
      return socket;
    }
    const sockets: WebSocket[] = [];
    for (let fifty = 0; fifty < 10; fifty++)
      sockets.push(...(await Promise.all(Array.from({ length: 50 }, (_, index) => open(`203.0.113.${index}`)))));
    sockets.push(await open('198.51.100.7'));

    const refused = await open('203.0.113.7');
    expect(await once(refused, 'close')).toEqual([1013, expect.anything()]);
    expect(sockets.filter(({ readyState }) => readyState === WebSocket.OPEN)).toHaveLength(501);
  },
  PATIENCE_MS,
);

/** The settings that production needs, with invented accounts. */
function makeProduction(folder: string): Record<string, string> {
  const file = (name: string, content: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return join(folder, name);
  };
  const { privateKey } = crypto.generateKeyPairSync('ed25519');
  const accounts = readFileSync(
    join(ROOT, 'api/src/product/advertisers/advertisers-settings.example.json'),
    'utf8',
  ).replaceAll('replace-with', 'a-very-real');
  writeFileSync(join(folder, 'advertisers.json'), accounts);

  return {
    NODE_ENV: 'production',
    BASE_URL: 'https://example.com',
    TRUST_PROXY: '0',
    HWID_PEPPER: crypto.randomBytes(32).toString('hex'),
    SIGNING_KEY_FILE: file('key.json', { ...privateKey.export({ format: 'jwk' }), kid: '2026-11a' }),
    ADVERTISERS_FILE: join(folder, 'advertisers.json'),
    MAIL_FROM: 'no-reply@example.com',
  };
}
