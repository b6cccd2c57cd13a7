import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import module from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * `node scripts/launch.mjs attack --tries 10` installs the packages if needed and runs scripts/attack.ts; a name without
 * a script is that of a program of a package, such as `vitest`. All of it needs Node 24, which reads TypeScript. An older
 * one fetches it from the npm registry, once, and starts it with the same words. npm itself calls this file without a
 * tool after an installation.
 *
 * Node 20.19 has to be able to read this file, so it is JavaScript.
 */
const OLDEST_LAUNCHER = [20, 19];
const NEEDED_MAJOR = 24;

const SCRIPTS = fileURLToPath(new URL('.', import.meta.url));
/** The packages that contain Node, one for each platform, and their lock file. */
const RUNTIME = join(SCRIPTS, 'node-runtime');
/** The tools that need no packages for tests and checks. */
const OF_PRODUCTION = ['start', 'build', 'run-program'];
const COMPILED = join(SCRIPTS, '../node_modules/.cache/node');
/** Tells the launched Node that it ends with this process. */
const ENDS_WITH_LAUNCHER = 'ENDS_WITH_LAUNCHER';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [oldestMajor = 0, oldestMinor = 0] = OLDEST_LAUNCHER;
if (major >= NEEDED_MAJOR) await runTool();
else if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) await launchNode();
else endWith(`Node ${OLDEST_LAUNCHER.join('.')} or newer is needed; this is ${process.versions.node}.`);

/** Runs the tool in this process, as if Node had started it. */
async function runTool() {
  // What is compiled once need not be compiled by the next process. Those that this one starts read the variable.
  process.env.NODE_COMPILE_CACHE ??= COMPILED;
  module.enableCompileCache?.(COMPILED);
  if (process.env[ENDS_WITH_LAUNCHER]) {
    delete process.env[ENDS_WITH_LAUNCHER];
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
    process.channel?.unref();
  }

  const { ensureInstalled, recordInstallation } = await import('./install.ts');
  const [node = '', , tool, ...args] = process.argv;
  if (tool === undefined) return recordInstallation();

  const forDevelopment = !OF_PRODUCTION.includes(tool);
  await ensureInstalled(forDevelopment).catch((/** @type {Error} */ error) => endWith(error.message));
  const file = [join(SCRIPTS, `${tool}.ts`), `node_modules/.bin/${tool}`].find((path) => existsSync(path));
  if (!file) return endWith(`There is no tool ${tool}.`);
  process.argv = [node, realpathSync(file), ...args];
  await import(pathToFileURL(realpathSync(file)).href).catch((/** @type {Error} */ error) => {
    if (error.name === 'BuildError') endWith(error.message);
    throw error;
  });
}

/** Runs this file with Node 24, which is fetched if it is not there, and ends as that one does. */
async function launchNode() {
  const node = nodeOfPlatform();
  if (!runs(node)) await fetchNode(node);

  // What it starts uses it as well: npm, npx and their programs.
  process.env.PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
  const child = spawn(node, process.argv.slice(1), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [ENDS_WITH_LAUNCHER]: '1' },
  });
  child.once('error', (error) => endWith(error.message));
  // A terminal sends SIGINT to both.
  for (const signal of SIGNALS)
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)));
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** The file of the Node for this platform, which need not be there. */
function nodeOfPlatform() {
  const { platform, arch } = process;
  const end = `-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const name = Object.keys(readManifest().optionalDependencies).find((name) => name.endsWith(end));
  if (name) return join(RUNTIME, 'node_modules', name, 'bin', platform === 'win32' ? 'node.exe' : 'node');

  return endWith(
    `Node ${NEEDED_MAJOR} or newer is needed, and the npm registry has none for ${platform} on ${arch}: install it from https://nodejs.org.`,
  );
}

function readManifest() {
  /** @type {{ optionalDependencies: Record<string, string> }} */
  const manifest = JSON.parse(readFileSync(join(RUNTIME, 'package.json'), 'utf8'));
  return manifest;
}

/**
 * Whether this Node is there, whole, and of the version that is listed.
 * @param {string} node
 */
function runs(node) {
  try {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    return Object.values(readManifest().optionalDependencies).includes(version.slice(1));
  } catch {
    return false;
  }
}

/**
 * Fetches Node into a folder of its own, and moves it to its place when it is whole. Two commands that do so at once
 * both succeed.
 * @param {string} node
 */
async function fetchNode(node) {
  const place = join(RUNTIME, 'node_modules');
  // Not later: another command may have put its Node there by then, and be about to start it.
  if (existsSync(place) && !runs(node)) rmSync(place, { recursive: true, force: true });
  removeAbandoned();
  const folder = mkdtempSync(join(RUNTIME, `.fetching-${process.pid}-`));
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(RUNTIME, file), join(folder, file));

  const what = `This is Node ${process.versions.node}; fetching Node ${NEEDED_MAJOR} from the npm registry, once`;
  const isOk = await showProgress(what, npmCi(folder));
  try {
    renameSync(join(folder, 'node_modules'), place);
  } catch {
    // Another command has put it there, or npm has failed.
  }
  rmSync(folder, { recursive: true, force: true });
  if (!runs(node))
    endWith(
      `Node ${NEEDED_MAJOR} ${isOk && existsSync(node) ? 'does not run here' : 'could not be fetched'}. Install it from https://nodejs.org, then try again.`,
    );
}

/** Removes what commands left that were killed while they fetched. */
function removeAbandoned() {
  for (const name of readdirSync(RUNTIME)) {
    const [, pid] = /^\.fetching-(\d+)-/.exec(name) ?? [];
    // In a container process ids come again: what has this one's was left by another.
    if (pid && (Number(pid) === process.pid || !isAlive(Number(pid))))
      rmSync(join(RUNTIME, name), { recursive: true, force: true });
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process lives as well.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * @param {string} folder
 * @returns {Promise<boolean>} whether it succeeded
 */
function npmCi(folder) {
  const options = ['--ignore-scripts', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = spawn('npm', ['ci', ...options], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  // npm would go on without this process, in a folder that the next command removes.
  for (const signal of SIGNALS) process.once(signal, () => npm.kill());
  return new Promise((resolve) => {
    npm.once('error', () => resolve(false));
    npm.once('exit', (code) => resolve(code === 0));
  });
}

/**
 * Says how long something has taken, until it ends: in place on a terminal, elsewhere on a line every ten seconds.
 * @template Result
 * @param {string} what
 * @param {Promise<Result>} work
 */
async function showProgress(what, work) {
  const { isTTY } = process.stderr;
  const startedAt = Date.now();
  const say = () =>
    process.stderr.write(
      `${isTTY ? '\r' : ''}${what} … ${Math.round((Date.now() - startedAt) / 1000)} s${isTTY ? '' : '\n'}`,
    );
  say();
  const timer = setInterval(say, isTTY ? 1000 : 10_000);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    say();
    if (isTTY) process.stderr.write('\n');
  }
}

/**
 * @param {string} sentence
 * @returns {never}
 */
function endWith(sentence) {
  console.error(sentence);
  process.exit(1);
}
