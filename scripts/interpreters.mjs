import { canRun, run } from './run.mjs';

const INSTALL = 'apt-get update && apt-get install -y python3 python3-cryptography lua5.4';

/** Debian's own Python comes first: another one may lack the package that the sample needs. */
const PYTHONS = ['/usr/bin/python3', 'python3', 'python'];
const LUAS = ['lua5.4', 'lua', 'lua5.3', 'lua5.2', 'lua5.1', 'luajit'];

/** A Python 3 that knows Ed25519: $PYTHON, or the first usual one. */
export function pythonPath() {
  return (
    [process.env.PYTHON, ...PYTHONS].find((python) => python && canRun(python, ['-c', 'import cryptography'])) ?? ''
  );
}

/** A Lua: $LUA, or the first usual one. */
export function luaPath() {
  return [process.env.LUA, ...LUAS].find((lua) => lua && canRun(lua, ['-v'])) ?? '';
}

/** Makes sure that the samples can be run; installs Debian's interpreters where that is allowed, else says how and stops. */
export async function ensureInterpreters() {
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
