import pg from 'pg';
import { DatabaseUnavailable } from './database-unavailable.ts';

/** How long a host may take to say whether it takes writes; milliseconds. */
const HOST_TIMEOUT_MS = 2000;
/** How long a search waits for slow hosts once another one has answered; milliseconds. */
const SEARCH_TIMEOUT_MS = 500;
/** The pause between searches while no host takes writes; milliseconds. */
const SEARCH_INTERVAL_MS = 250;
const NO_ANSWER: PromiseSettledResult<HostAnswer> = { status: 'rejected', reason: new Error('no answer') };

export interface WritableHost {
  /** @throws DatabaseUnavailable when no host takes writes */
  find: () => Promise<string>;
  /** Makes the next `find` search again, because this host may be gone. */
  forget: (url: string) => void;
}

/**
 * Finds out which host of a replicated PostgreSQL takes writes: the primary, and after a promotion another one. A single
 * host is not asked.
 */
export function createWritableHost(urls: readonly string[], ask = queryHost): WritableHost {
  const [first = '', ...others] = urls;
  if (others.length === 0) return { find: () => Promise.resolve(first), forget: () => undefined };

  let known: { url: string; timeline: number } | undefined;
  let search: Promise<string> | undefined;
  /** How often the known host was lost. An answer from before a loss may no longer be true. */
  let losses = 0;
  // A former primary must not be used, also while no other host answers.
  let newest = 0;

  async function startSearch(): Promise<string> {
    const lossesBefore = losses;
    const answers = urls.map(() => NO_ANSWER);
    const all = Promise.all(urls.map(async (url, nth) => void (answers[nth] = await settleResult(ask(url)))));
    function choose(): string {
      newest = Math.max(newest, ...answers.map(timelineOf));
      if (known && known.timeline < newest) known = undefined;
      const url = chooseHost(urls, answers, newest);
      if (losses === lossesBefore) known ??= { url, timeline: timelineOf(answers[urls.indexOf(url)]) };
      return url;
    }

    // A process that has just started knows of no promotion, so it waits for all hosts.
    await (newest === 0 ? all : Promise.race([all, delay(SEARCH_TIMEOUT_MS)]));
    // Later answers count as well: one of these hosts may be the primary, or know of a newer one.
    void all.then(choose).catch(() => undefined);
    const url = choose();
    search = undefined;
    return url;
  }

  return {
    async find() {
      if (known) return known.url;
      if (!search) {
        search = startSearch();
        // Until the pause is over, every call gets the same error at once.
        search.catch(() => void delay(SEARCH_INTERVAL_MS).then(() => (search = undefined)));
      }
      return search;
    },
    forget(url) {
      if (known?.url !== url) return;
      known = undefined;
      losses++;
    },
  };
}

const timelineOf = (said?: PromiseSettledResult<HostAnswer>) =>
  said?.status === 'fulfilled' ? said.value.timeline : 0;

export interface HostAnswer {
  /** The newest that it knows. */
  timeline: number;
  isWritable: boolean;
}

/**
 * Chooses the host that takes writes and is of the newest timeline. Each promotion begins a timeline, so a host of an older
 * one is a former primary that was started again.
 * @param newest the newest timeline that any host has reported to this process
 * @throws DatabaseUnavailable when there is none, with the reason of each host
 */
export function chooseHost(
  urls: readonly string[],
  answers: readonly PromiseSettledResult<HostAnswer>[],
  newest: number,
): string {
  const reasons = answers.map((answer) => {
    if (answer.status === 'rejected') return answer.reason instanceof Error ? answer.reason.message : 'no answer';
    if (!answer.value.isWritable) return 'it takes no writes';
    return answer.value.timeline < newest ? 'it was the primary before another one' : undefined;
  });
  const found = urls.find((_, nth) => reasons[nth] === undefined);
  if (found !== undefined) return found;

  const said = reasons.map((reason, nth) => `${hostNameOf(urls[nth])}: ${reason}`);
  throw new DatabaseUnavailable(`no host takes writes; ${said.join('; ')}`);
}

/**
 * Asks a host for its timeline. That of a primary is the first part of the name of its log's file; a standby knows the one
 * of its last checkpoint, which `promote.sh` brings about.
 */
async function queryHost(connectionString: string): Promise<HostAnswer> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: HOST_TIMEOUT_MS,
    query_timeout: HOST_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ file: string | null; checkpointed: number }>(
      `select case when current_setting('transaction_read_only') = 'off' then pg_walfile_name(pg_current_wal_lsn()) end as file,
        (select timeline_id from pg_control_checkpoint()) as checkpointed`,
    );
    const { file = null, checkpointed = 0 } = rows[0] ?? {};
    return { isWritable: file !== null, timeline: file === null ? checkpointed : parseInt(file.slice(0, 8), 16) };
  } finally {
    // Not awaited: a host that hangs never closes the connection.
    client.end().catch(() => undefined);
  }
}

const settleResult = async <T>(asked: Promise<T>) => (await Promise.allSettled([asked]))[0];

const delay = (ms: number) => new Promise((resolve) => void setTimeout(resolve, ms).unref());

function hostNameOf(url = ''): string {
  return new URL(url).host;
}
