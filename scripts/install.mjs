import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canRun, run } from './run.mjs';

const STAMP = 'node_modules/.installed-lock';
/** What better-sqlite3 is compiled with so that Node 24 keeps running; docs/decisions/059-node-24.md. */
const OBJECT_WRAP = fileURLToPath(new URL('object-wrap.h', import.meta.url));

/** Installs the packages of package-lock.json, for the Node that runs this, unless they are installed already for this version of Node. */
export async function ensureInstalled() {
  const { compiled } = await installPackages();
  await compiled;
}

/**
 * Does the same, but does not wait for SQLite, which takes a minute to compile. Whoever needs no database can begin.
 * @returns {Promise<{ compiled: Promise<void> }>} `compiled` resolves when SQLite can be used as well
 */
export async function installPackages() {
  const lock = createHash('sha256')
    .update(readFileSync('package-lock.json'))
    .update(process.versions.modules)
    .update(readFileSync(OBJECT_WRAP))
    .digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lock) return { compiled: Promise.resolve() };

  const native = nativeBuild();
  if (!native.hasToolchain) {
    console.warn(
      `No C++ toolchain was found. Where no prebuilt SQLite binary can be had, the install needs one: ${native.advice}`,
    );
  }

  console.log('Installing packages');
  // Not `npm ci`: it refuses a lock file that lacks the optional binaries of other platforms.
  await run('npm', ['install', '--no-save', '--ignore-scripts', '--loglevel=error']);
  return { compiled: compileSqlite(native, lock) };
}

/**
 * @param {ReturnType<typeof nativeBuild>} native
 * @param {string} lock what the stamp says when all is installed
 */
async function compileSqlite(native, lock) {
  try {
    // By itself: an install leaves alone what is there, though it was built for another Node.
    await run('npm', ['rebuild', 'better-sqlite3', '--loglevel=error'], { env: { ...process.env, ...native.env } });
  } catch (error) {
    if (!native.hasToolchain)
      console.error(`SQLite could not be built without a C++ toolchain. Install one, then try again: ${native.advice}`);
    throw error;
  }
  writeFileSync(STAMP, lock);
}

/**
 * Decides how better-sqlite3 gets its binary. With a compiler and Node's headers, npm builds it from the source in its
 * package and downloads nothing else. Otherwise npm downloads a prebuilt binary.
 */
function nativeBuild() {
  const hasToolchain = canRun('make') && canRun('python3') && (canRun('c++') || canRun('g++') || canRun('clang++'));
  const prefix = dirname(dirname(process.execPath));
  const hasHeaders = existsSync(join(prefix, 'include/node/node_api.h'));
  const env = {
    CXXFLAGS: `${process.env.CXXFLAGS ?? ''} -include "${OBJECT_WRAP}"`,
    ...(hasToolchain && hasHeaders && { npm_config_build_from_source: 'true', npm_config_nodedir: prefix }),
  };

  return { hasToolchain, env, advice: adviceFor(process.platform) };
}

/** @param {NodeJS.Platform} platform */
function adviceFor(platform) {
  if (platform === 'darwin') return 'xcode-select --install';
  return 'apt-get install -y build-essential python3';
}

/** `node scripts/install.mjs` installs in the folder where it is called. */
if (process.argv[1] === fileURLToPath(import.meta.url)) await ensureInstalled();
