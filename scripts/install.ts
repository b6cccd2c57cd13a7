import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lock } from '../tools/machine/lock.ts';
import { runNpm } from './run-npm.mjs';

/** npm's own list of what it has installed, which it writes when all of it is there. */
const INSTALLED = 'node_modules/.package-lock.json';
/** npm puts this folder before all others, so what it starts runs on the same Node. */
const LINK = 'node_modules/.bin/node';
/** Where `launch.mjs` puts the Node that it fetches. */
const FETCHED = fileURLToPath(new URL('node-runtime/', import.meta.url));

/** A package as `package-lock.json` lists it, in part. */
interface Locked {
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

/**
 * Installs the packages of package-lock.json in the folder where it is called, unless they are installed already.
 * @param forDevelopment also those that only tests and checks need, which are as many again
 */
export async function ensureInstalled(forDevelopment: boolean): Promise<void> {
  if (findMissing(forDevelopment) === undefined) return;

  const unlock = await lock('installing');
  try {
    // Another command may have installed them meanwhile.
    if (findMissing(forDevelopment) === undefined) return;

    // What serves the site may be in use, by a build or a server: then the rest comes beside it.
    const isServing = findMissing(false) === undefined;
    // What a developer has installed stays, whichever command is the first after a change of the lock file.
    const all = forDevelopment || [...readPackages(INSTALLED).values()].some(({ dev }) => dev);
    // Said in any case: NODE_ENV=production and npm's own settings would leave them out.
    const kinds = ['--include=optional', all ? '--include=dev' : '--omit=dev'];
    await runNpm(isServing ? ['install', '--no-save', ...kinds] : ['ci', ...kinds], { what: 'Installing packages' });
    const missing = findMissing(forDevelopment);
    if (missing !== undefined) throw new Error(`npm has not installed ${missing}, and did not say why. Try again.`);
    linkNode();
  } finally {
    unlock();
  }
}

/**
 * Finds a package that is needed here and that npm has not installed as it is locked, whichever command called it. npm
 * leaves out what is for other platforms, but also, without a word, what is for this one and could not be fetched.
 */
function findMissing(forDevelopment: boolean): string | undefined {
  const installed = readPackages(INSTALLED);
  const [folder] =
    [...readPackages('package-lock.json')].find(
      ([folder, locked]) =>
        (forDevelopment || !locked.dev) &&
        (!locked.optional || isForHere(locked)) &&
        installed.get(folder)?.integrity !== locked.integrity,
    ) ?? [];
  return folder;
}

/** Whether an optional package is one for this platform. One that names none is a part of another that does. */
function isForHere({ os, cpu, libc }: Locked): boolean {
  if (!os?.includes(process.platform) || !(cpu ?? [process.arch]).includes(process.arch)) return false;

  return libc === undefined || libc.includes(nameLibc());
}

/** As npm finds it out. */
function nameLibc(): string {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime ? 'glibc' : 'musl';
}

/** The packages of a lock file that come from a registry, by their folders. None when there is no such file. */
function readPackages(lock: string): Map<string, Locked> {
  if (!existsSync(lock)) return new Map();

  const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { packages: Record<string, Locked> };
  return new Map(Object.entries(packages).filter(([, { integrity }]) => integrity !== undefined));
}

/**
 * Lets what npm starts run on this Node, where it is a fetched one. `npm ci` and `npm install` call it at their end, too.
 */
export function linkNode(): void {
  if (!isFetched()) return;

  rmSync(LINK, { force: true });
  // Relative: a folder that is copied or moved has its own.
  symlinkSync(relative(resolve(dirname(LINK)), process.execPath), LINK);
}

function isFetched(): boolean {
  return process.execPath.startsWith(FETCHED);
}
