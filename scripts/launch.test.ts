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
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive, ROOT } from '../tools/site/started-server.ts';

/** Makes the Node of the test look like another one. */
const AS_NODE_20 = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } });`;
const AS_NODE_18 = AS_NODE_20.replace('20.19.0', '18.20.0');

/** In place of npm: it puts a Node into the folder that it is called in, which is the one of the test. */
const NPM = `#!/bin/sh
echo "npm $*" >> "$CALLS"
case "$NPM" in
  fails) exit 1 ;;
  'may not write') printf 'npm error code ENOENT\nnpm error syscall mkdir\nnpm error path /home/of/others\n' >&2; exit 1 ;;
  'is slow') sleep 1 ;;
  hangs) echo $$ > "$CALLS.pid"; exec sleep 60 ;;
  'gets nothing') exit 0 ;;
  dies) mkdir node_modules; kill -9 $PPID; exit 1 ;;
esac
mkdir -p node_modules
case "$*" in
  *--omit=dev*) cp "$PROJECT/of-production.json" node_modules/.package-lock.json ;;
  *) cp "$PROJECT/package-lock.json" node_modules/.package-lock.json ;;
esac
[ "$NPM" = 'leaves out' ] && cp "$PROJECT/of-others.json" node_modules/.package-lock.json
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
if (said[0] === 'cannot build') throw Object.assign(new Error('tools could not be built'), { name: 'BuildError' });
if (said[0] === 'wait') {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(7));
  setInterval(() => {}, 1000);
} else process.exitCode = Number(said[0] ?? 0);
console.log(JSON.stringify({ said, path: process.env['PATH'] }));
`;

/** What the launcher takes itself for. */
const NODES = {
  'Node 24': [],
  'Node 20': ['--import', './as-node-20.mjs'],
  'Node 18': ['--import', './as-node-18.mjs'],
};

/** What is locked: for all, for development, for this platform, for others. */
const { platform, arch } = process;
const LOCKED = {
  'node_modules/served': { integrity: 'sha512-served' },
  'node_modules/tested': { integrity: 'sha512-tested', dev: true },
  'node_modules/native': { integrity: 'sha512-native', optional: true, os: [platform], cpu: [arch] },
  'node_modules/others': { integrity: 'sha512-others', optional: true, os: ['aix'], cpu: ['ppc64'] },
  'node_modules/part-of-others': { integrity: 'sha512-part', optional: true },
};

/** The text of a lock file that lacks some of these packages. */
function lockWithout(...names: string[]): string {
  const packages = Object.entries(LOCKED).filter(([folder]) => !names.includes(folder.slice('node_modules/'.length)));
  return JSON.stringify({ packages: { '': {}, ...Object.fromEntries(packages) } });
}

interface Typed {
  on: keyof typeof NODES;
  /** What is typed after the launcher. */
  args: readonly string[];
  /** What npm does. */
  npm?: 'fails' | 'dies' | 'copies' | 'is slow' | 'hangs' | 'gets nothing' | 'leaves out' | 'may not write';
}

const QUIET = '--ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error';
const FETCHES = `npm ci ${QUIET}`;
const OF_PRODUCTION = `npm ci --include=optional --omit=dev ${QUIET}`;
const INSTALLED = `npm ci --include=optional --include=dev ${QUIET}`;
const ADDED = `npm install --no-save --include=optional --include=dev ${QUIET}`;

test('on Node 24 the tool runs in the same process, with its own arguments, once the packages are installed', () => {
  const { type, calls } = openProject();
  const first = type({ on: 'Node 24', args: ['tool', '3', 'an argument'] });
  const second = type({ on: 'Node 24', args: ['tool', '0'] });

  expect(first).toMatchObject({ code: 3, said: ['3', 'an argument'] });
  expect(second.code).toBe(0);
  expect(calls()).toEqual([INSTALLED]);
});

test('what serves the site needs no packages for tests, and a tool for development adds them to what is in use', () => {
  const { type, calls } = openProject();
  type({ on: 'Node 24', args: ['start'] });
  type({ on: 'Node 24', args: ['start'] });
  expect(calls()).toEqual([OF_PRODUCTION]);

  type({ on: 'Node 24', args: ['tool'] });
  type({ on: 'Node 24', args: ['start'] });
  expect(calls().slice(1)).toEqual([ADDED]);
});

test('a folder that something else has left does not count as installed', () => {
  const { type, calls, folder } = openProject();
  type({ on: 'Node 24', args: ['start'] });
  mkdirSync(join(folder, 'node_modules/tested'));
  type({ on: 'Node 24', args: ['tool'] });

  expect(calls()).toEqual([OF_PRODUCTION, ADDED]);
});

test('what npm has left out for this platform, without a word, is named, and installed by the next command', () => {
  const { type, calls } = openProject();
  const first = type({ on: 'Node 24', args: ['tool'], npm: 'leaves out' });
  const second = type({ on: 'Node 24', args: ['tool', '5'] });

  expect(first.code).toBe(1);
  expect(first.errors).toContain('npm has not installed node_modules/native, and did not say why. Try again.');
  expect(second.code).toBe(5);
  expect(calls()).toEqual([INSTALLED, INSTALLED]);
});

test.each(['Node 20', 'Node 24'] as const)('on %s a place where npm may not write is named', (on) => {
  const { code, errors } = openProject().type({ on, args: ['tool'], npm: 'may not write' });

  expect(code).toBe(1);
  expect(errors).toMatch(/npm may not write \/home\/of\/others\. .* npm_config_cache=<folder> names another\.$/m);
});

test('of two commands that start at once, one installs', async () => {
  const { start, calls } = openProject();
  const codes = await Promise.all(
    ['5', '6'].map(async (code) => {
      const child = start({ on: 'Node 24', args: ['tool', code], npm: 'is slow' });
      return ((await once(child, 'exit')) as [number])[0];
    }),
  );

  expect(codes).toEqual([5, 6]);
  expect(calls()).toEqual([INSTALLED]);
});

test('on Node 20 the command fetches Node 24 once, says so, and goes on with it', () => {
  const { type, calls } = openProject();
  const first = type({ on: 'Node 20', args: ['tool', '3', 'an argument'] });
  const second = type({ on: 'Node 20', args: ['tool', '0'] });

  expect(first).toMatchObject({ code: 3, said: ['3', 'an argument'] });
  expect(first.errors).toContain('This is Node 20.19.0; fetching Node 24.99.0 from the npm registry, once … 0 s\n');
  expect(second).toMatchObject({ code: 0, errors: '' });
  expect(calls().filter((call) => call === FETCHES)).toHaveLength(1);
});

test('what the tool starts on Node 20 finds Node 24 first', () => {
  const { path } = openProject().type({ on: 'Node 20', args: ['tool'] });

  const found = execFileSync('node', ['--version'], { env: { PATH: path }, encoding: 'utf8' });
  expect(found).toBe('v24.99.0\n');
});

test.each([
  ['is gone', (node: string) => rmSync(node)],
  ['is cut off', (node: string) => writeFileSync(node, '')],
  ['is an old one', (node: string) => writeFileSync(node, '#!/bin/sh\necho v24.98.0\n')],
])('a fetched Node that %s is fetched again', (_what, harm) => {
  const { type, fetchedNode } = openProject();
  type({ on: 'Node 20', args: ['tool'] });
  harm(fetchedNode);

  expect(type({ on: 'Node 20', args: ['tool', '5'] })).toMatchObject({ code: 5 });
});

test('what a killed command had fetched by half is removed by the next', () => {
  const { type, runtime } = openProject();
  const killed = type({ on: 'Node 20', args: ['tool'], npm: 'dies' });
  expect(killed.signal).toBe('SIGKILL');
  expect(readdirSync(runtime).some((name) => name.startsWith('.fetching-'))).toBe(true);

  expect(type({ on: 'Node 20', args: ['tool', '5'] })).toMatchObject({ code: 5 });
  expect(readdirSync(runtime).sort()).toEqual(['.installing', 'node_modules', 'package-lock.json']);
});

test('a folder that a process of the same number has left keeps none from fetching', async () => {
  const { runtime, startAfter } = openProject();
  const shell = startAfter('mkdir scripts/node-runtime/.fetching-$$-left', { on: 'Node 20', args: ['tool', '5'] });
  expect(await once(shell, 'exit')).toEqual([5, null]);
  expect(readdirSync(runtime).filter((name) => name.startsWith('.fetching-'))).toEqual([]);
});

test.each([
  ['Node 20', 'SIGINT', [1, null]],
  ['Node 24', 'SIGINT', [1, null]],
  ['Node 20', 'SIGKILL', [null, 'SIGKILL']],
  ['Node 24', 'SIGKILL', [null, 'SIGKILL']],
] as const)('on %s a command that gets %s twice while npm works ends npm as well', async (on, signal, end) => {
  const { start, hungNpm } = openProject();
  const child = start({ on, args: ['tool'], npm: 'hangs' });
  await expect.poll(hungNpm).toBeGreaterThan(0);
  for (let times = 0; times < 2; times++) child.kill(signal);

  const [ended, errors] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
  expect(ended).toEqual(end);
  expect(errors.includes('interrupted. The same command goes on.')).toBe(signal === 'SIGINT');
  await expect.poll(() => isAlive(hungNpm() ?? 0)).toBe(false);
});

test('an npm that gets nothing and says nothing has not fetched Node 24', () => {
  const { code, errors } = openProject().type({ on: 'Node 20', args: ['tool'], npm: 'gets nothing' });

  expect(code).toBe(1);
  expect(errors).toContain('npm has fetched no Node 24.99.0 that runs here. Install Node 24 or newer');
});

test('two commands that fetch at once both go on', async () => {
  const { start } = openProject();
  const codes = await Promise.all(
    ['5', '6'].map(async (code) => {
      const child = start({ on: 'Node 20', args: ['tool', code] });
      return ((await once(child, 'exit')) as [number])[0];
    }),
  );

  expect(codes).toEqual([5, 6]);
});

test('where Node cannot be fetched, the command ends with that, and npm has said why', () => {
  const { code, errors } = openProject().type({ on: 'Node 20', args: ['tool'], npm: 'fails' });

  expect(code).toBe(1);
  expect(errors).toMatch(/fetching Node 24\.99\.0 .*: npm failed, and said why above\.$/m);
});

test('on a Node that is too old the command says which is needed', () => {
  const { code, errors } = openProject().type({ on: 'Node 18', args: ['tool'] });

  expect(code).toBe(1);
  expect(errors).toBe('Node 20.19 or newer is needed; this is 18.20.0.\n');
});

test('a tool whose build failed ends with that, and without a stack', () => {
  const { code, errors } = openProject().type({ on: 'Node 24', args: ['tool', 'cannot build'] });

  expect(code).toBe(1);
  expect(errors).toMatch(/^tools could not be built\n$/m);
  expect(errors).not.toContain('    at ');
});

test('a tool that does not exist is named', () => {
  const { code, errors } = openProject().type({ on: 'Node 24', args: ['nothing'] });

  expect(code).toBe(1);
  expect(errors).toContain('There is no tool nothing.');
});

test('what a developer has installed stays, whichever command is the first after a change of the lock file', () => {
  const { type, calls, folder } = openProject();
  type({ on: 'Node 24', args: ['tool'] });
  writeFileSync(join(folder, 'package-lock.json'), lockWithout().replace('sha512-served', 'sha512-newer'));
  type({ on: 'Node 24', args: ['start'] });

  expect(calls()).toEqual([INSTALLED, INSTALLED]);
});

test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
  'on Node 20 a launcher that gets %s leaves no tool behind',
  async (signal) => {
    const child = openProject().start({ on: 'Node 20', args: ['tool', 'wait'] });
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    const [tool] = childrenOf(child.pid ?? 0);

    child.kill(signal);

    expect(await ended).toEqual(signal === 'SIGKILL' ? [null, signal] : [7, null]);
    await expect.poll(() => isAlive(tool ?? 0), { timeout: 10_000 }).toBe(false);
  },
);

test('after an installation on Node 20, what npm starts runs on the fetched Node', () => {
  const { type, list, folder, fetchedNode } = openProject();
  // The real Node, because it says itself where it is.
  list(process.versions.node);
  const { code } = type({ on: 'Node 20', args: [], npm: 'copies' });

  expect(code).toBe(0);
  expect(realpathSync(join(folder, 'node_modules/.bin/node'))).toBe(realpathSync(fetchedNode));
});

test('after an installation on Node 24, what npm starts runs on that one, and the next command installs nothing', () => {
  const { type, folder } = openProject();
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), lockWithout('others', 'part-of-others'));
  const { code } = type({ on: 'Node 24', args: [] });

  expect(code).toBe(0);
  expect(existsSync(join(folder, 'node_modules/.bin/node'))).toBe(false);
  expect(type({ on: 'Node 24', args: ['tool', '5'] })).toMatchObject({ code: 5, errors: '' });
});

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

/** A project with the launcher, one tool, and an npm that needs no network. It is removed after the test. */
function openProject() {
  const folder = mkdtempSync(join(tmpdir(), 'launch-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = {
    'package.json': '{ "type": "module" }',
    'package-lock.json': lockWithout(),
    'of-production.json': lockWithout('tested', 'others', 'part-of-others'),
    'of-others.json': lockWithout('native'),
    'scripts/tool.ts': TOOL,
    'scripts/start.ts': TOOL,
    'node_modules/.bin/keep': '',
    'bin/npm': NPM,
    'as-node-20.mjs': AS_NODE_20,
    'as-node-18.mjs': AS_NODE_18,
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text, { mode: 0o755 });
  }
  for (const file of [
    'scripts/launch.mjs',
    'scripts/install.ts',
    'scripts/run-npm.mjs',
    'tools/machine/die-with-parent.mjs',
    'tools/machine/lock.ts',
  ])
    cpSync(join(ROOT, file), join(folder, file));
  const name = `node-${platform}-${arch}`;

  const optionsOf = ({ npm }: Typed) => ({
    cwd: folder,
    env: { PATH: `${folder}/bin:${process.env['PATH']}`, CALLS: join(folder, 'calls'), PROJECT: folder, NPM: npm },
  });
  const wordsOf = ({ on, args }: Typed) => [...NODES[on], 'scripts/launch.mjs', ...args];

  const project = {
    folder,
    runtime: join(folder, 'scripts/node-runtime'),
    fetchedNode: join(folder, `scripts/node-runtime/node_modules/${name}/bin/node`),

    /** Says which version of Node is to be fetched. */
    list: (version: string): void => {
      const lock = { packages: { '': {}, [`node_modules/${name}`]: { version, optional: true } } };
      mkdirSync(join(folder, 'scripts/node-runtime'), { recursive: true });
      writeFileSync(join(folder, 'scripts/node-runtime/package-lock.json'), JSON.stringify(lock));
    },

    /** What npm was called with so far. */
    calls: () => readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n'),

    /** The process of an npm that hangs, once it does. */
    hungNpm: () => {
      const file = join(folder, 'calls.pid');
      return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
    },

    start: (typed: Typed) =>
      spawn(process.execPath, wordsOf(typed), { ...optionsOf(typed), stdio: ['ignore', 'pipe', 'pipe'] }),

    /** Runs words of a shell first, in the process that then becomes the command. */
    startAfter: (words: string, typed: Typed) =>
      spawn('sh', ['-c', `${words} && exec "$0" "$@"`, process.execPath, ...wordsOf(typed)], {
        ...optionsOf(typed),
        stdio: 'ignore',
      }),

    /** Runs a command to its end. */
    type: (typed: Typed) => {
      const { status, signal, stdout, stderr } = spawnSync(process.execPath, wordsOf(typed), {
        ...optionsOf(typed),
        encoding: 'utf8',
      });
      const { said, path } = JSON.parse(stdout || '{}') as { said?: string[]; path?: string };
      return { code: status, signal, said, path, errors: stderr };
    },
  };
  project.list('24.99.0');
  return project;
}
