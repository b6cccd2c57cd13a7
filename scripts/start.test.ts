import crypto from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive, START_TIMEOUT_MS, POLLING, ROOT, start } from '../tools/site/test/started-server.ts';

function parentOf(pid: number): number {
  return Number(/^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
}

test(
  'npm start prints links worth opening, and SIGTERM to npm stops the server, in good order',
  async () => {
    const { child, pid, lines } = await start('npm', ['start']);
    await expect.poll(() => lines.some((line) => line.includes('hwid=demo-device-0001')), POLLING).toBe(true);

    child.kill('SIGTERM');

    await once(child, 'close');
    await expect.poll(() => !isAlive(pid), POLLING).toBe(true);
    expect(lines.at(-1)).toContain('"msg":"stopped"');
  },
  START_TIMEOUT_MS,
);

test(
  'the server stops in good order when the process that started it was killed',
  async () => {
    const { child, pid, lines } = await start(process.execPath, ['scripts/start.ts']);
    expect(parentOf(pid)).toBe(child.pid);

    child.kill('SIGKILL');

    await expect.poll(() => !isAlive(pid), POLLING).toBe(true);
    await expect.poll(() => lines.some((line) => line.includes('"msg":"stopped"')), POLLING).toBe(true);
    expect(lines.find((line) => line.includes('"msg":"stopping"'))).toContain('"reason":"disconnect"');
  },
  START_TIMEOUT_MS,
);

test(
  'in production no links are printed',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'production-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const production = await start('npm', ['start'], makeProduction(folder));
    const answer = await fetch(`${production.url}/healthz`);
    production.child.kill('SIGTERM');
    await once(production.child.stdout, 'close');

    expect(answer.status).toBe(200);
    expect(production.lines.filter((line) => line.includes('demo-device'))).toEqual([]);
  },
  START_TIMEOUT_MS,
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
