import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import module from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runNpm } from './run-npm.mjs';

/**
 * `node scripts/launch.mjs attack --tries 10` installs the packages if needed and runs scripts/attack.ts; a name without
 * a script is that of a program of a package, such as `vitest`. All of it needs Node 24, which reads TypeScript. An older
 * one fetches a newer one from the npm registry, once, and starts it with the same words. npm itself calls this file
 * without a tool after an installation.
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

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** @typedef {{ version: string }} Locked a package in the lock file, in part */

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [oldestMajor = 0, oldestMinor = 0] = OLDEST_LAUNCHER;
endWithParent();
if (major >= NEEDED_MAJOR) await runTool();
else if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) await launchNode();
else endWith(`Node ${OLDEST_LAUNCHER.join('.')} or newer is needed; this is ${process.versions.node}.`);

/** A parent that is killed ends nothing, so this process ends by itself once it has another one. */
function endWithParent() {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 1000).unref();
}

/** Runs the tool in this process, as if Node had started it. */
async function runTool() {
  // What is compiled once need not be compiled by the next process. Those that this one starts read the variable.
  process.env.NODE_COMPILE_CACHE ??= COMPILED;
  module.enableCompileCache?.(COMPILED);

  const { ensureInstalled, linkNode } = await import('./install.ts');
  const [node = '', , tool, ...args] = process.argv;
  if (tool === undefined) return linkNode();

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

/** Runs this file with a fetched Node, and ends as that one does. */
async function launchNode() {
  const node = await fetchNode().catch((/** @type {Error} */ error) => endWith(error.message));

  // What it starts uses it as well: npm, npx and their programs.
  process.env.PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
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

/**
 * Makes sure that the listed Node of this platform is there, and whole. It is fetched into a folder of its own, and moved
 * to its place when it is whole; two commands that do so at once both succeed.
 * @returns its file
 */
async function fetchNode() {
  const { platform, arch, versions } = process;
  const found = Object.entries(readLock()).find(([path]) => path.endsWith(`-${platform}-${arch}`));
  if (!found)
    return endWith(
      `Node ${NEEDED_MAJOR} or newer is needed, and the npm registry has none for ${platform} on ${arch}: install it from https://nodejs.org.`,
    );
  const [path, locked] = found;
  const { version } = locked;
  const node = join(RUNTIME, path, 'bin/node');
  const isThere = () => versionOf(node) === version;
  if (isThere()) return node;

  const place = join(RUNTIME, 'node_modules');
  // Not later: another command may have put its Node there by then, and be about to start it.
  if (existsSync(place) && !isThere()) rmSync(place, { recursive: true, force: true });
  removeAbandoned();
  const folder = mkdtempSync(join(RUNTIME, `.fetching-${process.pid}-`));
  try {
    // As a dependency like any other: of an optional one that npm cannot get, it says nothing.
    const root = { dependencies: { [path.slice('node_modules/'.length)]: version } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(root));
    const lock = { lockfileVersion: 3, packages: { '': root, [path]: { ...locked, optional: false } } };
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    await runNpm(['ci'], {
      what: `This is Node ${versions.node}; fetching Node ${version} from the npm registry, once`,
      folder,
    });
    // Another command may have put it there meanwhile.
    if (!existsSync(place) && existsSync(join(folder, path))) renameSync(join(folder, 'node_modules'), place);
  } catch (error) {
    if (!isThere()) throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (isThere()) return node;
  return endWith(
    `npm has fetched no Node ${version} that runs here. Install Node ${NEEDED_MAJOR} or newer from https://nodejs.org.`,
  );
}

function readLock() {
  /** @type {{ packages: Record<string, Locked> }} */
  const { packages } = JSON.parse(readFileSync(join(RUNTIME, 'package-lock.json'), 'utf8'));
  return packages;
}

/**
 * The version of a Node. Undefined when it is not there, or not whole.
 * @param {string} node
 */
function versionOf(node) {
  try {
    return execFileSync(node, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .trim()
      .slice(1);
  } catch {
    return undefined;
  }
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
 * @param {string} sentence
 * @returns {never}
 */
function endWith(sentence) {
  console.error(sentence);
  process.exit(1);
}
