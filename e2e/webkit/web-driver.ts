import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { expect } from '@playwright/test';
import { dieWithParent } from '../../tools/machine/die-with-parent.mjs';
import { freePort } from '../../tools/machine/free-port.ts';

/** How W3C WebDriver marks an element in what scripts are given and return. */
export const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** A refusal of the driver, with its code, such as `no such element`. */
export class WebDriverError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

export interface Driver {
  call: Call;
  stop: () => Promise<void>;
}

/** A browser that has not answered by then never does. */
const ANSWERS_WITHIN_MS = 20_000;

type Call = (method: 'GET' | 'POST', path: string, body?: object) => Promise<unknown>;

/** Starts a driver on a free port, and a display of a phone's size if its browser needs one. */
export async function startDriver(program: string, needsDisplay: boolean): Promise<Driver> {
  const display = needsDisplay ? await startDisplay() : undefined;
  const port = await freePort();
  // A driver that ends leaves its browser, so both have process ids of their own, which end with this process.
  const alone = ['--die-with-parent', '--unshare-pid', '--dev-bind', '/', '/', '--proc', '/proc'];
  const driver = spawn('bwrap', [...alone, program, `--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      ...(display && { DISPLAY: display.name }),
      // In a container the sandbox cannot start, and the pages are ours.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      LIBGL_ALWAYS_SOFTWARE: '1',
      NO_AT_BRIDGE: '1',
    },
  });
  const base = `http://127.0.0.1:${port}`;
  await expect(() => fetch(`${base}/status`)).toPass();

  return {
    async call(method, path, body) {
      const response = await fetch(base + path, {
        method,
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
      }).catch((cause: unknown) => {
        throw new Error(`The browser does not answer ${method} ${path}`, { cause });
      });
      const { value } = (await response.json()) as { value: { error?: string; message?: string } };
      if (!response.ok) throw new WebDriverError(value.error ?? '', value.message ?? '');
      return value;
    },
    async stop() {
      await end(driver);
      if (display) await end(display.child);
    },
  };
}

/** Starts an X server without a screen, which chooses its number itself. */
async function startDisplay(): Promise<{ name: string; child: ChildProcess }> {
  const command = dieWithParent('Xvfb', ['-displayfd', '3', '-screen', '0', '360x740x24', '-nolisten', 'tcp']);
  const child = spawn(...command, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('Xvfb does not start')));
  const [number] = (await Promise.race([once(child.stdio[3] as Readable, 'data'), failed])) as [Buffer];
  return { name: `:${number.toString().trim()}`, child };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;

  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
