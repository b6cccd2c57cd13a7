import { Gauge } from 'prom-client';
import { registry } from './metrics.ts';

/** How much a pool of connections has to do. */
export interface PoolLoad {
  /** How many connections there are, and how many of them are unused. */
  open: number;
  idle: number;
  /** How many requests wait for a connection, and how many may. */
  waiting: number;
  maxWaiting: number;
}

const pools = new Set<() => PoolLoad>();

/** Counts a pool's connections from now on. Returns what ends that. */
export function countConnections(read: () => PoolLoad): () => void {
  pools.add(read);
  return () => pools.delete(read);
}

const sum = (countOf: (load: PoolLoad) => number) => [...pools].reduce((total, read) => total + countOf(read()), 0);

new Gauge({
  name: 'site_db_pool_connections',
  help: 'Connections to PostgreSQL.',
  labelNames: ['state'],
  registers: [registry],
  collect() {
    const idle = sum((load) => load.idle);
    this.set({ state: 'used' }, sum(({ open }) => open) - idle);
    this.set({ state: 'idle' }, idle);
  },
});

new Gauge({
  name: 'site_db_pool_waiting',
  help: 'Requests that wait for a connection to PostgreSQL.',
  registers: [registry],
  collect() {
    this.set(sum(({ waiting }) => waiting));
  },
});
