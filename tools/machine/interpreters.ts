import { ensureInstalled } from './ensure-installed.ts';
import { canRun } from './run.ts';

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

export function ensureInterpreters(): Promise<void> {
  return ensureInstalled({
    need: 'The samples need Python 3 with its package cryptography, and Lua',
    isThere: () => pythonPath() !== '' && luaPath() !== '',
    install: 'apt-get update && apt-get install -y python3 python3-cryptography lua5.4',
  });
}
