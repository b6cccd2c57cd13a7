import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { queryPostgres } from '../../machine/query-postgres.ts';

const CONNECT_TIMEOUT_MS = 2000;
/** As long as a server of ours waits. */
const QUERY_TIMEOUT_MS = 7000;
/** The pauses after a row, and after a refusal. */
const ROW_MS = 5;
const RETRY_MS = 100;
const POLL_MS = 5;

export type Ledger = Awaited<ReturnType<typeof keepLedger>>;

/**
 * Writes rows into a table of its own at several addresses of one database, and keeps which of them were acknowledged: what
 * a host has acknowledged, every host has to have.
 * @param main the addresses at which somebody always has to take writes
 * @param others further ones, of hosts that take writes only while they are the primary
 */
export async function keepLedger(main: readonly string[], others: readonly string[]) {
  const acknowledged = new Set<number>();
  let last = 0;
  let isPaused = false;
  let isOver = false;
  let writing = 0;
  let lastAt = Date.now();
  let longestMs = 0;
  await queryPostgres(main[0] ?? '', 'create table if not exists ledger (id bigint primary key)');
  const keeping = [...main, ...others].map((url) => keep(url, main.includes(url)));

  async function keep(connectionString: string, isMain: boolean): Promise<void> {
    let client: pg.Client | undefined;
    while (!isOver) {
      if (isPaused) {
        await wait(POLL_MS);
        continue;
      }
      const id = ++last;
      writing += 1;
      try {
        client ??= await connect(connectionString);
        await client.query('insert into ledger values ($1)', [id]);
        acknowledged.add(id);
        if (isMain) note();
        writing -= 1;
        await wait(ROW_MS);
      } catch {
        writing -= 1;
        end(client);
        client = undefined;
        await wait(RETRY_MS);
      }
    }
    end(client);
  }

  function note(): void {
    const now = Date.now();
    longestMs = Math.max(longestMs, now - lastAt);
    lastAt = now;
  }

  return {
    /** How many were acknowledged since the last check. */
    size: () => acknowledged.size,

    /** The longest time without an acknowledged row since the last check, in milliseconds. */
    longestMs: () => Math.max(longestMs, Date.now() - lastAt),

    /**
     * Counts the acknowledged rows that each host lacks, while nothing is written, and begins anew.
     */
    async check(hosts: readonly { name: string; siteUrl: string }[], untilReplayed: () => Promise<void>) {
      isPaused = true;
      while (writing > 0) await wait(POLL_MS);
      await untilReplayed();
      const lacking = await Promise.all(
        hosts.map(async ({ name, siteUrl }) => {
          const rows = await queryPostgres<{ id: number }>(siteUrl, 'select id from ledger');
          const has = new Set(rows.map(({ id }) => id));
          return { name, count: [...acknowledged].filter((id) => !has.has(id)).length };
        }),
      );
      await queryPostgres(main[0] ?? '', 'truncate ledger');
      acknowledged.clear();
      isPaused = false;
      longestMs = 0;
      lastAt = Date.now();
      return lacking;
    },

    async stop(): Promise<void> {
      isOver = true;
      await Promise.all(keeping);
    },
  };
}

async function connect(connectionString: string): Promise<pg.Client> {
  const timeouts = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: QUERY_TIMEOUT_MS };
  const client = new pg.Client({ connectionString, ...timeouts });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Not awaited: a host that hangs never closes the connection. */
function end(client: pg.Client | undefined): void {
  client?.end().catch(() => undefined);
}
