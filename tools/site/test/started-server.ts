import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished, expect } from 'vitest';
import { dieWithParent } from '../../machine/die-with-parent.mjs';
import { withoutSettings } from '../../machine/without-settings.ts';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** The first of these tests may have to build what is out of date. */
export const START_TIMEOUT_MS = 300_000;
export const POLLING = { timeout: 60_000, interval: 50 };

export interface Started {
  child: Child;
  /** Of the server itself. */
  pid: number;
  url: string;
  dataDir: string;
  /** What was written so far. */
  lines: string[];
}

type Child = ChildProcessByStdio<null, Readable, null>;

/** Types a command as an operator would, with data of its own, and waits until its server listens. */
export async function start(command: string, args: string[], settings: Record<string, string> = {}): Promise<Started> {
  const dataDir = mkdtempSync(join(tmpdir(), 'start-'));
  const env = {
    ...withoutSettings(),
    // The first start of a server renders all pages, for some seconds; later ones find them here.
    RENDERED_DIR: process.env['RENDERED_DIR'] ?? join(ROOT, 'test-results/rendered'),
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: dataDir,
    ...settings,
  };
  const child = spawn(...dieWithParent(command, args), { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'], env });
  const lines: string[] = [];
  const server = await new Promise<{ pid: number; port: number }>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`It ended with ${code}: ${lines.join('\n')}`)));
    createInterface(child.stdout).on('line', (line) => {
      lines.push(line);
      if (line.includes('"msg":"listening"')) resolve(JSON.parse(line) as { pid: number; port: number });
    });
  });
  onTestFinished(async () => {
    for (const pid of [child.pid ?? 0, server.pid]) end(pid);
    await expect.poll(() => !isAlive(server.pid), POLLING).toBe(true);
    rmSync(dataDir, { recursive: true });
  });

  return { child, pid: server.pid, url: `http://127.0.0.1:${server.port}`, dataDir, lines };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A process that has ended is listed until its parent has read its exit code.
  return !/^\d+ \(.*\) Z/.test(readIfThere(`/proc/${pid}/stat`) ?? '');
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function end(pid: number): void {
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
}
