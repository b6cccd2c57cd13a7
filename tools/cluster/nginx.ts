import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { dieWithParent } from '../machine/die-with-parent.mjs';
import { isListening } from '../machine/postgres.ts';

/** The configuration that operators install. */
const CONFIG_FILE = 'deploy/nginx/nginx.conf';
const REAL_IP_FILE = 'deploy/nginx/real-ip.conf';
const CACHE_FILE = 'deploy/nginx/cache.conf';
/** Where that file keeps answers. */
const CACHE_FOLDER = '/var/cache';
/** The header in that file, with which a CDN names the visitor. */
const CDN_HEADER = 'CF-Connecting-IP';
const START_TIMEOUT_MS = 10_000;
/** nginx makes all of these folders when it starts. */
const TEMP_FOLDERS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

export type Nginx = Awaited<ReturnType<typeof startNginx>>;

interface NginxOptions {
  cdn?: { networks: readonly string[]; header?: string };
  program?: string;
  workers?: string;
}

/**
 * Starts nginx with the file of `deploy/` on a port of this machine alone.
 * @param folder the folder of the cluster
 * @param port where visitors come in
 * @param servers the ports of the servers
 * @param options `cdn`: whether the lines for a CDN are switched on, with these further networks of it and this header;
 *   `program`: another nginx than that of the system; `workers`: how many it has, which each have connections of their own
 */
export async function startNginx(
  folder: string,
  port: number,
  servers: readonly number[],
  { cdn, program = 'nginx', workers = 'auto' }: NginxOptions = {},
) {
  const own = join(folder, 'nginx');
  const [access, errors] = [join(own, 'access.log'), join(own, 'error.log')];
  mkdirSync(own);
  const config = readFileSync(CONFIG_FILE, 'utf8');
  writeFileSync(join(own, 'nginx.conf'), config.replace('worker_processes auto', `worker_processes ${workers}`));
  const realIp = readFileSync(REAL_IP_FILE, 'utf8');
  writeFileSync(
    join(own, 'real-ip.conf'),
    cdn
      ? realIp.replaceAll(/^#(?=\S)/gm, '').replaceAll(CDN_HEADER, cdn.header ?? CDN_HEADER) +
          cdn.networks.map((each) => `set_real_ip_from ${each};\n`).join('')
      : realIp,
  );
  writeFileSync(join(own, 'cache.conf'), readFileSync(CACHE_FILE, 'utf8').replaceAll(CACHE_FOLDER, own));
  const isRoot = process.getuid?.() === 0;
  writeFileSync(
    join(own, 'machine.conf'),
    `${isRoot ? 'user root;\n' : ''}pid ${join(own, 'pid')};\nerror_log ${errors} notice;\n`,
  );
  writeFileSync(
    join(own, 'servers.conf'),
    servers.map((each) => `server 127.0.0.1:${each} max_fails=5 fail_timeout=1s;\n`).join(''),
  );
  const temporary = TEMP_FOLDERS.map((name) => `${name}_temp_path ${join(own, name)};\n`).join('');
  writeFileSync(join(own, 'listen.conf'), `listen 127.0.0.1:${port};\naccess_log ${access} site;\n${temporary}`);

  const out = openSync(errors, 'a');
  const command = dieWithParent(program, ['-p', own, '-c', join(own, 'nginx.conf'), '-g', 'daemon off;']);
  const child = spawn(...command, { stdio: ['ignore', out, out] });
  process.once('exit', () => child.kill('SIGTERM'));
  const until = Date.now() + START_TIMEOUT_MS;
  while (!(await isListening(port))) {
    if (child.exitCode !== null || Date.now() > until)
      throw new Error(`nginx did not start:\n${readFileSync(errors, 'utf8')}`);
    await wait(20);
  }

  return {
    pid: child.pid ?? 0,
    /** All that nginx has written so far: a line for each request, and what it says of itself. */
    logged: () => readFileSync(access, 'utf8') + readFileSync(errors, 'utf8'),
    lines: (): Record<string, unknown>[] =>
      readFileSync(access, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    async stop(): Promise<void> {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}
