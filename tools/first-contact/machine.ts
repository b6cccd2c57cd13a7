import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { dieWithParent } from '../machine/die-with-parent.mjs';
import { freePort } from '../machine/free-port.ts';
import { withoutSettings } from '../machine/without-settings.ts';

const START_TIMEOUT_MS = 180_000;
/** Longer than any command here takes. */
const TIMEOUT_MS = 600_000;

const PACKAGE = `node-${process.platform}-${process.arch}`;

export type Machine = ReturnType<typeof openMachine>;

/** The words of a command, and what is different for it. */
export interface CommandResult {
  words: string;
  cwd: string;
  env?: NodeJS.ProcessEnv;
}

/** A machine that has seen nothing of this project: an empty folder, and an empty cache of npm. */
export function openMachine() {
  const folder = mkdtempSync(join(tmpdir(), 'first contact-'));
  // Without what npm says to the scripts that it runs, and the Node that the launcher has put before others.
  const { PATH = '', ...rest } = withoutSettings();
  const path = PATH.split(':').filter((part) => !part.startsWith(resolve('.')));
  const usual = {
    ...Object.fromEntries(
      Object.entries(rest).filter(
        ([name]) => !/^npm_(?!config_(registry|cafile))|^INIT_CWD|^NODE$|^NODE_COMPILE/.test(name),
      ),
    ),
    PATH: path.join(':'),
    npm_config_cache: join(folder, 'npm cache'),
  };

  const groups: number[] = [];

  /** Starts a command in a process group of its own, as a terminal does. */
  function begin({ words, cwd, env = {} }: CommandResult) {
    const child = spawn(...dieWithParent('sh', ['-c', `exec ${words}`]), {
      cwd,
      env: { ...usual, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    const group = -(child.pid ?? 0);
    groups.push(group);
    const timer = setTimeout(() => process.kill(group, 'SIGKILL'), TIMEOUT_MS);
    child.once('exit', () => clearTimeout(timer));
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, text }));
    return {
      ended,
      said: () => text,
      pid: child.pid ?? 0,
      /** Sends a signal to the whole group, as Ctrl+C does. */
      interrupt: (signal: NodeJS.Signals = 'SIGINT') => process.kill(group, signal),
      isRunning: () => child.exitCode === null && child.signalCode === null,
    };
  }

  return {
    folder,
    begin,

    /** Runs a command to its end. */
    type: (typed: CommandResult) => begin(typed).ended,

    /** A clone, made by the words of a shell that end with its place. */
    get(name: string, how = `git clone --quiet '${resolve('.')}'`): string {
      const place = join(folder, name);
      execFileSync('sh', ['-c', `${how} '${place}'`], { stdio: ['ignore', 'ignore', 'inherit'] });
      return place;
    },

    /** A Node of some version, from the npm registry. Returns the folder of its program. */
    getNode(version: string): string {
      const place = join(folder, `node ${version}`);
      execFileSync('npm', ['install', '--silent', '--prefix', place, `${PACKAGE}@${version}`], { env: usual });
      return join(place, `node_modules/${PACKAGE}/bin`);
    },

    with: (node: string) => ({ PATH: `${node}:${usual.PATH}` }),

    /** Types `npm start`, waits until it serves, has a key earned, and ends it by SIGTERM. Returns what it printed. */
    async serve(cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
      const port = String(await freePort());
      const server = begin({ words: 'npm start', cwd, env: { PORT: port, ...env } });
      await untilServed(port, server);
      const site = `http://localhost:${port}`;
      const run = await begin({ words: `node api/src/test/programs/earn-key.mjs ${site}`, cwd, env }).ended;
      if (run.code !== 0) throw new Error(`No key was earned: ${run.text}`);
      process.kill(server.pid, 'SIGTERM');
      const { text } = await server.ended;
      if (!text.includes('"msg":"stopped"')) throw new Error(`It did not stop in good order: ${text.slice(-1000)}`);
      return text;
    },

    untilServed,

    /** Ends what is left of its commands, and removes all. */
    close(): void {
      for (const group of groups)
        try {
          process.kill(group, 'SIGKILL');
        } catch {
          // It has ended.
        }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilServed(port: string, server: { isRunning: () => boolean; said: () => string }): Promise<void> {
  const until = Date.now() + START_TIMEOUT_MS;
  while (
    !(await fetch(`http://localhost:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (!server.isRunning() || Date.now() > until) throw new Error(`It does not serve: ${server.said().slice(-2000)}`);
    await wait(200);
  }
}
