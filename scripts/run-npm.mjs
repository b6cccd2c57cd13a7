import { spawn } from 'node:child_process';
import { dieWithParent } from '../tools/machine/die-with-parent.mjs';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** How npm says why it failed, and at which file. */
const CODE = /^npm error code (\w+)$/m;
const PATH = /^npm error path (.+)$/m;
/** What npm says where it may not write; a folder that it cannot make on a disk for reading is ENOENT to it. */
const FORBIDDEN = /^npm error code (?:EACCES|EPERM|EROFS|ENOENT\nnpm error syscall mkdir)$/m;

/**
 * Runs npm in a folder, quietly and without scripts of packages, and says how long it has taken. npm ends with this
 * process: it would go on in a folder that the next command uses.
 * @param {readonly string[]} words such as `['ci']`
 * @param {{ what: string, folder?: string }} work what it does, such as `Installing packages`
 * @throws {Error} with a sentence, when npm fails, which has said more by then, or when this process is told to end
 */
export async function runNpm(words, { what, folder = '.' }) {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
    npm.kill();
  };
  // Before npm starts. A terminal and npm may both send the same signal.
  for (const signal of SIGNALS) process.on(signal, interrupt);
  const npm = spawn(...dieWithParent('npm', [...words, ...options]), {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  npm.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
    process.stderr.write(text);
  });
  const stopProgress = showProgress(what);
  try {
    /** @type {number | null} */
    const code = await new Promise((resolve, reject) => npm.once('error', reject).once('close', resolve));
    if (isInterrupted) throw new Error(`${what}: interrupted. The same command goes on.`);
    if (code !== 0) throw new Error(`${what}: ${explain(said)}`);
  } finally {
    stopProgress();
    // Interrupted, this process says so and ends: another signal does not come between.
    if (!isInterrupted) for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}

/** @param {string} said what npm has printed */
function explain(said) {
  const [, code = ''] = CODE.exec(said) ?? [];
  const [, path] = PATH.exec(said) ?? [];
  if (path !== undefined && FORBIDDEN.test(said))
    return `npm may not write ${path}. Make it writable; if it is npm's cache, npm_config_cache=<folder> names another.`;
  return `npm failed${code && ` (${code})`}, and said why above.`;
}

/**
 * Says how long something has taken: in place on a terminal, elsewhere on a line every ten seconds.
 * @param {string} what
 * @returns {() => void} what ends it
 */
function showProgress(what) {
  const { isTTY } = process.stderr;
  const startedAt = Date.now();
  const say = () =>
    process.stderr.write(
      `${isTTY ? '\r' : ''}${what} … ${Math.round((Date.now() - startedAt) / 1000)} s${isTTY ? '' : '\n'}`,
    );
  say();
  const timer = setInterval(say, isTTY ? 1000 : 10_000);
  return () => {
    clearInterval(timer);
    if (isTTY) process.stderr.write('\n');
  };
}
