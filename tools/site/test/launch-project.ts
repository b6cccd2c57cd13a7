import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ROOT } from './started-server.ts';

/** Makes the Node of the test look like another one. */
const AS_NODE_20 = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } });`;
const AS_NODE_18 = AS_NODE_20.replace('20.19.0', '18.20.0');

/** In place of npm: it puts a Node into the folder that it is called in, which is the one of the test. */
const NPM = `#!/bin/sh
echo "npm $*" >> "$CALLS"
case "$NPM" in
  fails) exit 1 ;;
  'has no room') printf 'npm error code ENOSPC\nnpm error path /home/of/others\n' >&2; exit 1 ;;
  'may not write') printf 'npm error code ENOENT\nnpm error syscall mkdir\nnpm error path /home/of/others\n' >&2; exit 1 ;;
  'is slow') sleep 1 ;;
  hangs) echo $$ > "$CALLS.pid"; exec sleep 60 ;;
  'gets nothing') exit 0 ;;
  dies) mkdir node_modules; kill -9 $PPID; exit 1 ;;
esac
mkdir -p node_modules
case "$*" in
  *--omit=dev*) cp "$PROJECT/of-production.json" node_modules/.package-lock.json ;;
  *) cp "$PROJECT/of-all.json" node_modules/.package-lock.json ;;
esac
[ "$NPM" = 'leaves out' ] && cp "$PROJECT/without-native.json" node_modules/.package-lock.json
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

/** What is locked: for all, for development, for this platform, for others. npm leaves out the latter. */
const { platform, arch } = process;
const LOCKED = {
  'node_modules/served': { integrity: 'sha512-served' },
  'node_modules/tested': { integrity: 'sha512-tested', dev: true },
  'node_modules/native': { integrity: 'sha512-native', optional: true, os: [platform], cpu: [arch] },
  'node_modules/other-system': { integrity: 'sha512-system', optional: true, os: ['aix'], cpu: [arch] },
  'node_modules/other-processor': { integrity: 'sha512-processor', optional: true, os: [platform], cpu: ['ppc64'] },
  'node_modules/other-libc': { integrity: 'sha512-libc', optional: true, os: [platform], cpu: [arch], libc: ['none'] },
  'node_modules/part-of-other': { integrity: 'sha512-part', optional: true },
};

export const OTHERS = ['other-system', 'other-processor', 'other-libc', 'part-of-other'];

/** The text of a lock file that lacks some of these packages. */
export function lockWithout(...names: string[]): string {
  const packages = Object.entries(LOCKED).filter(([folder]) => !names.includes(folder.slice('node_modules/'.length)));
  return JSON.stringify({ packages: { '': {}, ...Object.fromEntries(packages) } });
}

interface Typed {
  on: keyof typeof NODES;
  /** What is typed after the launcher. */
  args: readonly string[];
  /** What npm does. */
  npm?:
    'fails' | 'dies' | 'copies' | 'is slow' | 'hangs' | 'gets nothing' | 'leaves out' | 'may not write' | 'has no room';
}

/** A project with the launcher, one tool, and an npm that needs no network. It is removed after the test. */
export function openProject() {
  const folder = mkdtempSync(join(tmpdir(), 'launch-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = {
    'package.json': '{ "type": "module" }',
    'package-lock.json': lockWithout(),
    'of-production.json': lockWithout('tested', ...OTHERS),
    'of-all.json': lockWithout(...OTHERS),
    'without-native.json': lockWithout('native', ...OTHERS),
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
