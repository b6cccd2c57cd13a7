import { Gauge } from 'prom-client';
import { registry } from './metrics.ts';

/** What a pool of connections says of itself. */
export interface PoolCounts {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

const pools = new Set<PoolCounts>();

/**
 * Counts a pool's connections from now on.
 * @returns ends that
 */
export function countConnections(pool: PoolCounts): () => void {
  pools.add(pool);
  return () => pools.delete(pool);
}

new Gauge({
  name: 'site_db_pool_connections',
  help: 'Connections to PostgreSQL.',
  labelNames: ['state'],
  registers: [registry],
  collect() {
    this.set(
      { state: 'used' },
      sum(({ totalCount, idleCount }) => totalCount - idleCount),
    );
    this.set(
      { state: 'idle' },
      sum(({ idleCount }) => idleCount),
    );
  },
});

new Gauge({
  name: 'site_db_pool_waiting',
  help: 'Requests that wait for a connection to PostgreSQL.',
  registers: [registry],
  collect() {
    this.set(sum(({ waitingCount }) => waitingCount));
  },
});

function sum(countOf: (pool: PoolCounts) => number): number {
  return [...pools].reduce((total, pool) => total + countOf(pool), 0);
}
