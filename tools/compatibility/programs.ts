import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { hasGo } from '../machine/compilers.ts';
import { installPeer } from '../machine/install-peer.ts';
import { NotThere, type RunTool } from './run.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The path of a program of this folder that uses the tools. */
export const programPath = (name: string) => `${ROOT}tools/compatibility/programs/${name}`;

/** Gives JSON to a program, and reads the JSON that it prints. */
export async function ask(command: string, args: readonly string[], asked: unknown): Promise<unknown> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  // A program that ends early is told of by its exit code.
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(asked));
  const [ended, out, complaint] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  if (ended[0] !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${String(ended[0])}: ${complaint.slice(-500)}`);
  return JSON.parse(out);
}

/** The folder whose node_modules have a package in this version: ours, or one into which it is installed. */
export async function folderOf(name: string, version: string): Promise<string> {
  const own = `${ROOT}node_modules/${name}/package.json`;
  const has = existsSync(own) && (JSON.parse(readFileSync(own, 'utf8')) as { version: string }).version === version;
  return has ? ROOT : installPeer(`${name}@${version}`);
}

/** Those of Debian, which see its packages. */
export const PYTHON = '/usr/bin/python3';
export const PERL = '/usr/bin/perl';

/** Makes the function that runs a tool which a package of Debian has. It leaves the tool out where that is not installed. */
export function ofDebian(name: string, run: () => Promise<string>): RunTool {
  return async () => {
    const query = spawnSync('dpkg-query', ['-W', '-f', '${db:Status-Status} ${Version}', name], { encoding: 'utf8' });
    const [status, version = ''] = query.status === 0 ? query.stdout.split(' ') : [];
    if (status !== 'installed') throw new NotThere(`apt-get install ${name}`);
    return { version: version.replace(/^\d+:/, '').replace(/[-+~].*$/, ''), does: await run() };
  };
}

/** Compiles a program of this folder with Debian's libraries of Go. @throws NotThere when there is no Go */
export function compileGo(name: string): string {
  if (!hasGo()) throw new NotThere('apt-get install golang-go');
  const folder = `${ROOT}dist/.peers/go`;
  const out = `${folder}/${name}.out`;
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: `${folder}/cache` };
  execFileSync('go', ['build', '-o', out, programPath(name)], { env });
  return out;
}
