import pg from 'pg';
import { DatabaseUnavailable } from './database-unavailable.ts';

/** How long a host may take to say whether it takes writes; milliseconds. */
const ASK_MS = 2000;
/** How long the hosts are left alone after none took writes; milliseconds. */
const PAUSE_MS = 250;

export interface WritableHost {
  /**
   * Finds the address of the host that takes writes, and remembers it.
   * @throws DatabaseUnavailable when there is none
   */
  find: () => Promise<string>;
  /** Looks for the host anew at the next `find`, because this one may be gone. */
  forget: (url: string) => void;
}

/**
 * Finds out which host of a replicated PostgreSQL takes writes: the primary, and after a promotion another one. A single
 * host is not asked.
 * @param urls an address for each host
 */
export function createWritableHost(urls: readonly string[]): WritableHost {
  const [first = '', ...others] = urls;
  if (others.length === 0) return { find: () => Promise.resolve(first), forget: () => undefined };

  let known: string | undefined;
  let looking: Promise<string> | undefined;

  async function look(): Promise<string> {
    known = await findNewest(urls);
    looking = undefined;
    return known;
  }

  return {
    async find() {
      if (known !== undefined) return known;
      if (!looking) {
        looking = look();
        // Who asks meanwhile gets the same answer at once.
        looking.catch(() => void setTimeout(() => (looking = undefined), PAUSE_MS).unref());
      }
      return looking;
    },
    forget(url) {
      if (known === url) known = undefined;
    },
  };
}

/**
 * Asks all hosts at once. Where several take writes, a former primary has come back without being told of the promotion:
 * the host of the newest timeline is right, because each promotion begins one.
 */
async function findNewest(urls: readonly string[]): Promise<string> {
  const answers = await Promise.allSettled(urls.map(askTimeline));
  let newest = -1;
  let found: string | undefined;
  for (const [nth, answer] of answers.entries())
    if (answer.status === 'fulfilled' && answer.value > newest) [newest, found] = [answer.value, urls[nth]];
  if (found !== undefined) return found;

  const reasons = answers.map((answer, nth) => `${nameOf(urls[nth])}: ${describe(answer)}`);
  throw new DatabaseUnavailable(`no host takes writes; ${reasons.join('; ')}`);
}

/**
 * Asks a host for its timeline, which is the first part of the name of its log's file.
 * @throws Error when it takes no writes, or does not answer in time
 */
async function askTimeline(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: ASK_MS, query_timeout: ASK_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ file: string | null }>(
      `select case when current_setting('transaction_read_only') = 'off' then pg_walfile_name(pg_current_wal_lsn()) end as file`,
    );
    const file = rows[0]?.file ?? undefined;
    if (file === undefined) throw new Error('it takes no writes');
    return parseInt(file.slice(0, 8), 16);
  } finally {
    // Not awaited: a host that hangs does not say goodbye.
    client.end().catch(() => undefined);
  }
}

function nameOf(url = ''): string {
  return new URL(url).host;
}

function describe(answer: PromiseSettledResult<number>): string {
  return answer.status === 'rejected' && answer.reason instanceof Error ? answer.reason.message : '';
}
