import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withProgress } from '../api/src/ops/progress.ts';
import { run } from '../tools/machine/run.ts';

const STAMP = 'node_modules/.installed-lock';
/** A database of SQLite, for its lock. It is outside of node_modules, which npm empties. */
const LOCK = 'scripts/node-runtime/.installing';
const SQLITE_BUSY = 5;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** npm puts this folder before all others, so what it starts runs on the same Node. */
const LINK = 'node_modules/.bin/node';
/** Where `launch.mjs` puts the Node that it fetches. */
const FETCHED = fileURLToPath(new URL('node-runtime/', import.meta.url));

/** A package that only development needs: whether it is there says whether all packages are. */
const FOR_DEVELOPMENT = 'node_modules/vitest';

/**
 * Installs the packages of package-lock.json in the folder where it is called, unless they are installed already.
 * @param forDevelopment also those that only tests and checks need, which are as many again
 */
export async function ensureInstalled(forDevelopment: boolean): Promise<void> {
  if (isInstalled(forDevelopment)) return;

  const unlock = await lock();
  try {
    // Another command may have installed them meanwhile.
    if (isInstalled(forDevelopment)) return;

    console.error('Installing packages');
    // What a developer has installed stays, whichever command is the first after a change of the lock file.
    const all = forDevelopment || existsSync(FOR_DEVELOPMENT);
    // Said in any case: NODE_ENV=production and npm's own settings would leave them out.
    const kinds = ['--include=optional', all ? '--include=dev' : '--omit=dev'];
    await withProgress('Installing packages', () =>
      npmCi(['--ignore-scripts', '--loglevel=error', '--no-progress', ...kinds]),
    );
    linkNode();
    writeFileSync(STAMP, hashOfLock());
  } finally {
    unlock();
  }
}

/** Runs `npm ci`, which ends with this process: the next command would install beside it. */
async function npmCi(options: readonly string[]): Promise<void> {
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const signal of SIGNALS) process.once(signal, end);
  try {
    await run('npm', ['ci', ...options], { stdio: ['ignore', 'ignore', 'inherit'], signal: ending.signal });
  } catch (error) {
    throw ending.signal.aborted ? new Error('The installation was interrupted.') : error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}

/** What `npm ci` and `npm install` call at their end. */
export function recordInstallation(): void {
  linkNode();
  // An npm on an older Node may have left out packages that need this one.
  if (!isFetched()) writeFileSync(STAMP, hashOfLock());
}

function isInstalled(forDevelopment: boolean): boolean {
  const isCurrent = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hashOfLock();
  return isCurrent && (!forDevelopment || existsSync(FOR_DEVELOPMENT));
}

function hashOfLock(): string {
  return createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
}

function linkNode(): void {
  if (!isFetched()) return;

  rmSync(LINK, { force: true });
  symlinkSync(process.execPath, LINK);
}

function isFetched(): boolean {
  return process.execPath.startsWith(FETCHED);
}

/** Waits until no other command installs here. The system takes the lock from a process that is killed. */
async function lock(): Promise<() => void> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(LOCK);
  for (;;) {
    try {
      database.exec('begin exclusive');
      return () => database.close();
    } catch (error) {
      if (!(error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)) throw error;
      await wait(200);
    }
  }
}
