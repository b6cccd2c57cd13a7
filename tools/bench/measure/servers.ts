import { execFileSync, fork } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface MeasuredServer {
  url: string;
  stop(): Promise<void>;
}

const MS_PER_TICK = 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/**
 * Starts the site on a free port, with its own data.
 * @param root the folder of the sources whose build is started
 */
export async function startSite(settings: Record<string, string> = {}, { root = '.' } = {}): Promise<MeasuredServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-'));
  const child = fork('dist/api/main.js', {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'development', PORT: '0', DATA_DIR: dataDir, ...settings },
  });
  const baseUrl = await new Promise<string>((resolve, reject) => {
    child.once('message', (message: { baseUrl: string }) => resolve(message.baseUrl));
    child.once('exit', (code) => reject(new Error(`The site ended with ${code}`)));
  });

  return {
    url: baseUrl,
    async stop() {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** How much processor time a process has used, in milliseconds. */
export function processorMs(pid: number): number {
  const { own } = readTicks(pid);
  return own * MS_PER_TICK;
}

/** How much processor time a process has used, and all that it has started itself, in milliseconds. */
export function familyMs(pid: number): number {
  const { own, ofEnded } = readTicks(pid);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readTicks(Number(name)))
    .filter(({ parent }) => parent === pid);
  return (own + ofEnded + children.reduce((sum, child) => sum + child.own, 0)) * MS_PER_TICK;
}

/** The fields of `/proc/<pid>/stat` about time, in ticks. A process that is gone has used none. */
function readTicks(pid: number): { parent: number; own: number; ofEnded: number } {
  try {
    const fields = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? '').split(' ').map(Number);
    const [, parent = 0] = fields;
    const [user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = fields.slice(11);
    return { parent, own: user + system, ofEnded: userOfEnded + systemOfEnded };
  } catch {
    return { parent: 0, own: 0, ofEnded: 0 };
  }
}

/** How much memory a process has, in KB (VmRSS). */
export function residentKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
