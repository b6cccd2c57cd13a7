import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { isAlive } from './started-server.ts';

/** Makes the Node of the test look like another one. */
const AS_NODE_20 = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } });`;
const AS_NODE_18 = AS_NODE_20.replace('20.19.0', '18.20.0');

/** In place of npm: it puts a Node into the folder that it is called in, which is the one of the test. */
const NPM = `#!/bin/sh
echo "npm $*" >> "$CALLS"
case "$NPM" in
  fails) exit 1 ;;
  dies) mkdir node_modules; kill -9 $PPID; exit 1 ;;
esac
case "$*" in
  *--omit=dev*) ;;
  *) mkdir -p node_modules/vitest ;;
esac
bin="node_modules/node-${process.platform}-${process.arch}/bin"
mkdir -p "$bin"
[ "$NPM" = copies ] && cp "${process.execPath}" "$bin/node" && exit
cat > "$bin/node" <<END
#!/bin/sh
[ "\\$1" = --version ] && echo v24.99.0 && exit
exec "${process.execPath}" "\\$@"
END
chmod +x "$bin/node"
`;

/** Says how it was started, then waits for a signal if it is told to. */
const TOOL = `
const said: string[] = process.argv.slice(2);
if (said[0] === 'wait') {
  process.on('SIGTERM', () => process.exit(7));
  setInterval(() => {}, 1000);
} else process.exitCode = Number(said[0] ?? 0);
console.log(JSON.stringify({ said, path: process.env['PATH'] }));
`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'launch-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = {
    'package.json': '{ "type": "module" }',
    'package-lock.json': '{}',
    'scripts/node-runtime/package-lock.json': '{}',
    'scripts/tool.ts': TOOL,
    'node_modules/.bin/keep': '',
    'bin/npm': NPM,
    'as-node-20.mjs': AS_NODE_20,
    'as-node-18.mjs': AS_NODE_18,
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text, { mode: 0o755 });
  }
  writeManifest('24.99.0');
  for (const file of ['launch.mjs', 'install.ts', 'run.ts'])
    cpSync(join(import.meta.dirname, file), join(folder, 'scripts', file));
});

test('on Node 24 the tool runs in the same process, with its own arguments, once the packages are installed', () => {
  const first = launch([], ['3', 'an argument']);
  const second = launch([], ['0']);

  expect(first).toMatchObject({ code: 3, said: ['3', 'an argument'] });
  expect(second.code).toBe(0);
  expect(calls()).toEqual(['npm ci --ignore-scripts --loglevel=error']);
});

test('what serves the site needs no packages for tests, and a tool for development installs them as well', () => {
  cpSync(join(folder, 'scripts/tool.ts'), join(folder, 'scripts/start.ts'));

  launch([], ['0'], {}, 'start');
  launch([], ['0'], {}, 'start');
  expect(calls()).toEqual(['npm ci --ignore-scripts --loglevel=error --omit=dev']);

  launch([], ['0']);
  launch([], ['0'], {}, 'start');
  expect(calls().slice(1)).toEqual(['npm ci --ignore-scripts --loglevel=error']);
});

test('on Node 20 the command fetches Node 24 once, says so, and goes on with it', () => {
  const first = launch(['--import', './as-node-20.mjs'], ['3', 'an argument']);
  const second = launch(['--import', './as-node-20.mjs'], ['0']);

  expect(first).toMatchObject({ code: 3, said: ['3', 'an argument'] });
  expect(first.errors).toContain('This is Node 20.19.0; fetching Node 24 from the npm registry, once … 0 s\n');
  expect(second).toMatchObject({ code: 0, errors: '' });
  expect(calls().filter((call) => call.includes('--include=optional'))).toHaveLength(1);
});

test('what the tool starts on Node 20 finds Node 24 first', () => {
  const { path } = launch(['--import', './as-node-20.mjs'], []);

  const found = execFileSync('node', ['--version'], { env: { PATH: path }, encoding: 'utf8' });
  expect(found).toBe('v24.99.0\n');
});

test.each([
  ['is gone', (node: string) => rmSync(node)],
  ['is cut off', (node: string) => writeFileSync(node, '')],
  ['is an old one', (node: string) => writeFileSync(node, '#!/bin/sh\necho v24.98.0\n')],
])('a fetched Node that %s is fetched again', (_what, harm) => {
  launch(['--import', './as-node-20.mjs'], []);
  harm(fetchedNode());

  expect(launch(['--import', './as-node-20.mjs'], ['5'])).toMatchObject({ code: 5 });
});

test('what a killed command had fetched by half is removed by the next', () => {
  const killed = spawnSync(process.execPath, ['--import', './as-node-20.mjs', 'scripts/launch.mjs', 'tool'], {
    cwd: folder,
    env: settings({ NPM: 'dies' }),
  });
  expect(killed.signal).toBe('SIGKILL');
  expect(readdirSync(join(folder, 'scripts/node-runtime')).some((name) => name.startsWith('.fetching-'))).toBe(true);

  expect(launch(['--import', './as-node-20.mjs'], ['5'])).toMatchObject({ code: 5 });
  expect(readdirSync(join(folder, 'scripts/node-runtime')).sort()).toEqual([
    '.installing',
    'node_modules',
    'package-lock.json',
    'package.json',
  ]);
});

test('two commands that fetch at once both go on', async () => {
  const codes = await Promise.all(
    ['5', '6'].map(async (code) => {
      const child = start(['--import', './as-node-20.mjs'], [code]);
      return ((await once(child, 'exit')) as [number])[0];
    }),
  );

  expect(codes).toEqual([5, 6]);
});

test('where Node 24 cannot be fetched, the command says what to install', () => {
  const { code, errors } = launch(['--import', './as-node-20.mjs'], [], { NPM: 'fails' });

  expect(code).toBe(1);
  expect(errors).toMatch(/^Node 24 could not be fetched\. Install it from https:\/\/nodejs\.org, then try again\.$/m);
});

test('on a Node that is too old the command says which is needed', () => {
  const { code, errors } = launch(['--import', './as-node-18.mjs'], []);

  expect(code).toBe(1);
  expect(errors).toBe('Node 20.19 or newer is needed; this is 18.20.0.\n');
});

test('a tool that does not exist is named', () => {
  const ended = spawnSync(process.execPath, ['scripts/launch.mjs', 'nothing'], {
    cwd: folder,
    env: settings(),
    encoding: 'utf8',
  });

  expect(ended).toMatchObject({ status: 1, stderr: expect.stringContaining('There is no tool nothing.') as string });
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'on Node 20 a launcher that gets %s leaves no tool behind',
  async (signal) => {
    const child = start(['--import', './as-node-20.mjs'], ['wait']);
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    const [tool] = childrenOf(child.pid ?? 0);

    child.kill(signal);

    expect(await ended).toEqual(signal === 'SIGTERM' ? [7, null] : [null, 'SIGKILL']);
    await expect.poll(() => isAlive(tool ?? 0), { timeout: 10_000 }).toBe(false);
  },
);

test('after an installation on Node 20, what npm starts runs on the fetched Node', () => {
  // The real Node, because it says itself where it is.
  writeManifest(process.versions.node);
  const { status } = spawnSync(process.execPath, ['--import', './as-node-20.mjs', 'scripts/launch.mjs'], {
    cwd: folder,
    env: settings({ NPM: 'copies' }),
  });

  expect(status).toBe(0);
  expect(realpathSync(join(folder, 'node_modules/.bin/node'))).toBe(realpathSync(fetchedNode()));
});

test('after an installation on Node 24, what npm starts runs on that one, and the next command installs nothing', () => {
  mkdirSync(join(folder, 'node_modules/vitest'));
  const { status } = spawnSync(process.execPath, ['scripts/launch.mjs'], { cwd: folder, env: settings() });

  expect(status).toBe(0);
  expect(existsSync(join(folder, 'node_modules/.bin/node'))).toBe(false);
  expect(launch([], ['5'])).toMatchObject({ code: 5, errors: '' });
});

function writeManifest(version: string): void {
  const optionalDependencies = { [`node-${process.platform}-${process.arch}`]: version };
  writeFileSync(join(folder, 'scripts/node-runtime/package.json'), JSON.stringify({ optionalDependencies }));
}

function fetchedNode(): string {
  return join(folder, `scripts/node-runtime/node_modules/node-${process.platform}-${process.arch}/bin/node`);
}

function settings(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { PATH } = process.env;
  return { PATH: `${folder}/bin:${PATH}`, CALLS: join(folder, 'calls'), ...more };
}

function calls(): string[] {
  return readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n');
}

function start(nodeOptions: string[], args: string[]) {
  return spawn(process.execPath, [...nodeOptions, 'scripts/launch.mjs', 'tool', ...args], {
    cwd: folder,
    env: settings(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Runs the tool to its end. */
function launch(nodeOptions: string[], args: string[], more?: NodeJS.ProcessEnv, tool = 'tool') {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...nodeOptions, 'scripts/launch.mjs', tool, ...args],
    { cwd: folder, env: settings(more), encoding: 'utf8' },
  );
  const { said, path } = JSON.parse(stdout || '{}') as { said?: string[]; path?: string };
  return { code: status, said, path, errors: stderr };
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}
