import { canRun, run } from './run.ts';

const INSTALL = 'apt-get update && apt-get install -y python3 python3-cryptography lua5.4';

/** Debian's Python comes first, because another one may not have the package that the sample needs. */
const PYTHONS = ['/usr/bin/python3', 'python3', 'python'];
const LUAS = ['lua5.4', 'lua', 'lua5.3', 'lua5.2', 'lua5.1', 'luajit'];

/**
 * The path of a Python 3 with the package `cryptography`: $PYTHON, or the first usual one. Empty when there is none.
 */
export function pythonPath(): string {
  return (
    [process.env['PYTHON'], ...PYTHONS].find((python) => python && canRun(python, ['-c', 'import cryptography'])) ?? ''
  );
}

/** The path of a Lua interpreter: $LUA, or the first usual one. Empty when there is none. */
export function luaPath(): string {
  return [process.env['LUA'], ...LUAS].find((lua) => lua && canRun(lua, ['-v'])) ?? '';
}

/**
 * Makes sure that Python and Lua are installed, for the tests of the samples. As root on Debian it installs Debian's
 * packages. Otherwise it prints how to install them and ends the process.
 */
export async function ensureInterpreters(): Promise<void> {
  const isThere = () => pythonPath() !== '' && luaPath() !== '';
  if (isThere()) return;

  const mayInstall = canRun('apt-get') && process.getuid?.() === 0;
  if (mayInstall) {
    console.log(`Installing what the samples run in: ${INSTALL}`);
    await run('sh', ['-c', `${INSTALL} >/dev/null`], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  }
  if (isThere()) return;

  console.error(
    `The samples need Python 3 with its package cryptography, and Lua. Install them, then try again: ${INSTALL}`,
  );
  process.exit(1);
}
