import { ensureInstalled } from './ensure-installed.ts';
import { canRun } from './run.ts';

const PYTHONS = ['python3', 'python'];

/** Every Lua that Debian has: they differ in numbers, in the operators for bits, and in names of functions. */
const LUAS = ['lua5.1', 'lua5.2', 'lua5.3', 'lua5.4', 'luajit'];

/** The path of a Python from 3.8: $PYTHON, or the first usual one. Empty when there is none. */
export function pythonPath(): string {
  const isNew = ['-c', 'import sys; sys.exit(sys.version_info < (3, 8))'];
  return [process.env['PYTHON'], ...PYTHONS].find((python) => python && canRun(python, isNew)) ?? '';
}

/** The Lua interpreters of this machine: those that Debian has, or the one that is just called lua. */
export function luaPaths(): string[] {
  const found = LUAS.filter((lua) => canRun(lua, ['-v']));
  return found.length > 0 ? found : ['lua'].filter((lua) => canRun(lua, ['-v']));
}

export function ensureInterpreters(): Promise<void> {
  const enough = canRun('apt-get') ? LUAS.length : 1;
  return ensureInstalled({
    need: 'The samples need Python 3 and Lua in all its versions',
    isThere: () => pythonPath() !== '' && luaPaths().length >= enough,
    install: `apt-get update && apt-get install -y python3 ${LUAS.join(' ')}`,
  });
}
