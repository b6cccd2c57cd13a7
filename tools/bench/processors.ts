import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const MS_PER_TICK = 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

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
