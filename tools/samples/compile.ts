import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CACHE_FOLDER = `${ROOT}node_modules/.cache/samples/`;

interface Compilation {
  /** The folder of the language. */
  folder: string;
  /** The end of its files' names. */
  ending: string;
  /** The command that compiles files into a folder. It runs in the folder of the language. */
  command: (out: string, files: string[]) => string[];
  env?: Record<string, string>;
}

/** Compiles a sample and its harness, unless the same files were compiled before. Returns the folder of the result. */
export async function compile({ folder, ending, command, env = {} }: Compilation): Promise<string> {
  const cwd = `${ROOT}samples/${folder}`;
  const files = globSync([`*.${ending}`, `test/*.${ending}`], { cwd }).toSorted();
  const hash = createHash('sha256').update(JSON.stringify([command('', files), env]));
  for (const file of files) hash.update(readFileSync(`${cwd}/${file}`));
  const result = `${CACHE_FOLDER}${folder}-${hash.digest('hex').slice(0, 16)}`;
  if (existsSync(result)) return result;

  mkdirSync(CACHE_FOLDER, { recursive: true });
  const made = mkdtempSync(`${CACHE_FOLDER}making-`);
  const [program = '', ...args] = command(made, files);
  await promisify(execFile)(program, args, { cwd, env: { ...process.env, ...env } });
  moveTo(result, made);
  return result;
}

/** Another process may have compiled the same meanwhile. Then its result stays. */
function moveTo(result: string, made: string): void {
  try {
    renameSync(made, result);
  } catch (error) {
    if (!existsSync(result)) throw error;
    rmSync(made, { recursive: true });
  }
}
