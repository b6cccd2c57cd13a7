import { type ChildProcess, fork, type ForkOptions } from 'node:child_process';

/**
 * What the units and the image in `deploy/` set as well. Without it a server has 190 to 260 MB before its first visitor,
 * with it 130 to 150. One arena gives back what a start has used; those of ten threads keep it. Young objects get 4 MB
 * for each half instead of 16: a run takes no more of a processor.
 */
const ALLOCATOR = {
  GLIBC_TUNABLES: 'glibc.malloc.arena_max=1:glibc.malloc.trim_threshold=65536:glibc.malloc.mmap_threshold=32768',
};
const NODE_OPTIONS = ['--max-semi-space-size=4'];

/** Starts the built server in a small memory. What the environment sets for the allocator stays. */
export function forkServer({ env = process.env, execArgv = [], ...options }: ForkOptions): ChildProcess {
  return fork('dist/api/main.js', {
    ...options,
    execArgv: [...NODE_OPTIONS, ...execArgv],
    env: { ...ALLOCATOR, ...env },
  });
}
