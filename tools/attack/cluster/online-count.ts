import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Cluster, ClusterServer } from '../../cluster/open-cluster.ts';

/** How long the count may be wrong when a page opens, and when a server dies with its pages; milliseconds. */
const PAGE_MS = 1000;
const DEATH_MS = 11_000;
/** When to give up; milliseconds. */
const TIMEOUT_MS = 20_000;
/** How many pages open at one server, one after another. */
const PAGES = 3;

/** How long the online count was wrong at a page of one server, in milliseconds: each time that something happened. */
export interface CountTimes {
  /** A page was opened at the other server. */
  opened: number[];
  /** The other server was killed. */
  died: number[];
}

/** Opens pages at one server, and checks when a page of the other one knows of each. No other page may be open. */
export async function countOpened({ url, servers }: Cluster, times: CountTimes, findings: string[]): Promise<void> {
  const [one, two] = servers as [ClusterServer, ClusterServer];
  const watcher = await openPage(two.url, url);
  await watcher.untilTold(1);
  const pages = [watcher];
  for (let nth = 1; nth <= PAGES; nth++) {
    const startedAt = Date.now();
    pages.push(await openPage(one.url, url));
    await watcher.untilTold(1 + nth);
    times.opened.push(Date.now() - startedAt);
  }
  if (times.opened.some((ms) => ms > PAGE_MS))
    findings.push(`The online count was wrong for ${times.opened.join(', ')} ms`);
  for (const page of pages) page.close();
}

/**
 * Kills a server with open pages, and waits until a page of the other one counts them no longer. No other page may
 * be open.
 * @param meanwhile called when the server is dead
 * @returns whether that took no longer than it may
 */
export async function countDeath(
  { url, servers }: Cluster,
  dying: ClusterServer,
  times: CountTimes,
  meanwhile: () => Promise<void>,
): Promise<boolean> {
  const other = servers.find((server) => server !== dying) as ClusterServer;
  const watcher = await openPage(other.url, url);
  await openPage(dying.url, url);
  await watcher.untilTold(2);
  await dying.kill();
  const killedAt = Date.now();
  const gone = watcher.untilTold(1).then(() => Date.now() - killedAt);
  await Promise.all([gone, meanwhile()]);
  watcher.close();
  times.died.push(await gone);
  return (await gone) <= DEATH_MS;
}

/** Opens the socket of a page at one server, which tells it the online count. */
async function openPage(server: string, origin: string) {
  const socket = new WebSocket(server.replace('http:', 'ws:'), { origin });
  socket.on('error', () => undefined);
  let online = 0;
  socket.on('message', (message: Buffer) => void ({ online } = JSON.parse(message.toString()) as { online: number }));
  await once(socket, 'message');

  return {
    /** @throws Error when the page is not told this number in time */
    async untilTold(count: number): Promise<void> {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      while (online !== count)
        await once(socket, 'message', { signal }).catch(() => {
          throw new Error(`A page was told that ${online} are open, and not ${count}`);
        });
    },
    close: () => socket.terminate(),
  };
}
