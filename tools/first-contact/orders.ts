import { createServer } from 'node:net';
import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort, listen } from '../machine/free-port.ts';
import type { Machine } from './machine.ts';

/** The shortest part of the tests that needs every package. */
const TEST_COMMAND = 'npm test -- check';
/** The oldest Node that the launcher reads, and one of each line that people have. */
const NODE_VERSIONS = ['20.19.0', '22.22.0', '24.21.0', '26.10.0'];
const MAX_LINES = 10;

/** Each is what a person may do first, second and third, and throws where that is not as it should be. */
export const ORDERS: Record<string, (machine: Machine) => Promise<void>> = {
  'npm start, npm test, npm start': async (machine) => {
    const cwd = machine.get('start first');
    await machine.serve(cwd);
    await runSuccessfully(machine, TEST_COMMAND, cwd);
    requireNoInstallation(await machine.serve(cwd));
  },

  'npm test, npm start': async (machine) => {
    const cwd = machine.get('test first');
    await runSuccessfully(machine, TEST_COMMAND, cwd);
    requireNoInstallation(await machine.serve(cwd));
  },

  ...Object.fromEntries(
    NODE_VERSIONS.flatMap((version) => [
      [
        `npm ci on Node ${version}, which is quiet and enough`,
        async (machine: Machine) => {
          const [cwd, env] = [machine.get(`ci ${version}`), machine.with(machine.getNode(version))];
          const { length } = (await runSuccessfully(machine, 'npm ci', cwd, env)).trim().split('\n');
          if (length > MAX_LINES) throw new Error(`npm ci prints ${length} lines`);
          requireNoInstallation(await machine.serve(cwd, env));
          requireNoInstallation(await runSuccessfully(machine, TEST_COMMAND, cwd, env));
        },
      ],
      [
        `npm install on Node ${version}`,
        async (machine: Machine) => {
          const [cwd, env] = [machine.get(`install ${version}`), machine.with(machine.getNode(version))];
          await runSuccessfully(machine, 'npm install', cwd, env);
          requireNoInstallation(await machine.serve(cwd, env));
        },
      ],
    ]),
  ),

  'npm ci --omit=dev, then both': async (machine) => {
    const cwd = machine.get('without dev');
    await runSuccessfully(machine, 'npm ci --omit=dev', cwd);
    requireNoInstallation(await machine.serve(cwd));
    await runSuccessfully(machine, TEST_COMMAND, cwd);
  },

  'with NODE_ENV=production the tests run, and a start names what it lacks': async (machine) => {
    const cwd = machine.get('production');
    const env = { NODE_ENV: 'production' };
    const { code, text } = await machine.type({ words: 'npm start', cwd, env });
    if (code !== 1 || !text.includes('BASE_URL: must be set in production')) throw new Error(text.slice(-2000));
    await runSuccessfully(machine, TEST_COMMAND, cwd, env);
  },

  'in a path with spaces, from an archive without .git': async (machine) => {
    const how = `archive() { mkdir "$1" && git -C '${resolve('.')}' archive HEAD | tar -x -C "$1"; }; archive`;
    await machine.serve(machine.get('an archive with spaces', how));
  },

  'in a worktree': async (machine) => {
    const clone = machine.get('clone');
    await machine.serve(machine.get('worktree', `git -C '${clone}' worktree add --quiet --detach`));
  },

  'two npm start at once': async (machine) => {
    const cwd = machine.get('twice');
    const ports = [String(await freePort()), String(await freePort())];
    const started = ports.map((port) => machine.begin({ words: 'npm start', cwd, env: { PORT: port } }));
    const { code, text } = await Promise.race(started.map(({ ended }) => ended));
    if (code !== 1 || !text.includes('DATA_DIR: another server works with')) throw new Error(text.slice(-2000));
    const at = started.findIndex(({ isRunning }) => isRunning());
    const server = started[at];
    if (!server) throw new Error('Both have ended');
    await machine.untilServed(ports[at] ?? '', server);
    server.interrupt();
    await server.ended;
  },

  'npm start and npm test at once': async (machine) => {
    const cwd = machine.get('both');
    const test = machine.type({ words: TEST_COMMAND, cwd });
    await machine.serve(cwd);
    const { code, text } = await test;
    if (code !== 0) throw new Error(text.slice(-3000));
  },

  'Ctrl+C while each part of the first start is under way, and again': async (machine) => {
    const cwd = machine.get('interrupted');
    const env = machine.with(machine.getNode('20.19.0'));
    for (const sign of ['fetching Node', 'Installing packages', 'Building shell']) {
      const command = machine.begin({ words: 'npm start', cwd, env });
      while (!command.said().includes(sign)) {
        if (!command.isRunning()) throw new Error(command.said().slice(-2000));
        await wait(50);
      }
      command.interrupt();
      const { text } = await command.ended;
      if (/\n {4}at /.test(text) || (sign !== 'Building shell' && !text.includes('interrupted')))
        throw new Error(`Not the reason: ${text.slice(-2000)}`);
    }
    await machine.serve(cwd, env);
  },

  'on a port that is taken': async (machine) => {
    const cwd = machine.get('port');
    const taken = createServer();
    const PORT = String(await listen(taken));
    for (const words of ['npm start', 'npm run dev']) {
      const { code, text } = await machine.type({ words, cwd, env: { PORT } });
      if (code !== 1 || !text.includes(`PORT: ${PORT} is taken`)) throw new Error(text.slice(-2000));
    }
    taken.close();
  },

  'with a home that cannot be written': async (machine) => {
    const cwd = machine.get('home');
    const home = join(machine.folder, 'home of others');
    mkdirSync(home);
    chmodSync(home, 0o555);
    const env = { HOME: home, npm_config_cache: undefined };
    // Root may write anywhere but in what is mounted for reading.
    const isRoot = process.getuid?.() === 0;
    const words = isRoot ? `unshare --mount sh -c 'mount --bind -o ro "$HOME" "$HOME" && npm start'` : 'npm start';
    const { code, text } = await machine.type({ words, cwd, env });
    if (code !== 1 || !text.includes('npm may not write')) throw new Error(text.slice(-2000));
  },

  'without a network once it was started': async (machine) => {
    const cwd = machine.get('offline');
    await machine.serve(cwd);
    await machine.serve(cwd, { npm_config_registry: 'http://127.0.0.1:1', npm_config_cache: join(cwd, 'no cache') });
  },

  'an npm test that is killed leaves no process': async (machine) => {
    const cwd = machine.get('killed');
    for (const signal of ['SIGTERM', 'SIGKILL'] as const)
      for (const part of ['units', 'journeys']) {
        const run = machine.begin({ words: `npm test -- ${part}`, cwd });
        while (!new RegExp(`^${part}: \\d{2,} tests`, 'm').test(run.said())) {
          if (!run.isRunning()) throw new Error(run.said().slice(-2000));
          await wait(200);
        }
        process.kill(run.pid, signal);
        await waitUntilGone(cwd);
      }
  },
};

async function runSuccessfully(
  machine: Machine,
  words: string,
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const { code, text } = await machine.type({ words, cwd, env });
  if (code !== 0) throw new Error(`${words} ended with ${String(code)}: ${text.slice(-3000)}`);
  return text;
}

function requireNoInstallation(text: string): void {
  if (text.includes('Installing packages')) throw new Error(`It installs again: ${text.slice(0, 1000)}`);
}

/** Waits until no process works in a folder, or in what a run of tests has for what it writes. */
async function waitUntilGone(cwd: string): Promise<void> {
  const until = Date.now() + 30_000;
  for (;;) {
    const left = listProcesses().filter((each) =>
      Object.values(each).some((text) => text.includes(cwd) || text.includes('/site-test-')),
    );
    if (left.length === 0) return;
    if (Date.now() > until)
      throw new Error(`Still there: ${left.map(({ command }) => command.slice(0, 120)).join('\n')}`);
    await wait(500);
  }
}

function listProcesses(): { folder: string; command: string }[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const folder = readlinkSync(`/proc/${pid}/cwd`);
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return [{ folder, command }];
    } catch {
      return [];
    }
  });
}
