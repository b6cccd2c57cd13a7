import { once } from 'node:events';
import { WebSocket } from 'ws';
import { untilReady, type Cluster, type ClusterServer } from '../cluster/open-cluster.ts';

/** How long the count may be wrong when a page opens, and when a server dies with its pages; milliseconds. */
const PAGE_MS = 1000;
const DEATH_MS = 11_000;
/** When to give up; milliseconds. */
const PATIENCE_MS = 20_000;
/** How many pages open at one server, one after another. */
const PAGES = 5;

/** How long the online count was wrong at a page of one server, in milliseconds. */
export interface CountTimes {
  /** For each page that was opened at the other server. */
  opened: number[];
  /** After the other server was killed. */
  died: number;
}

/**
 * Checks that a page at one server knows how many pages are open at both. Nobody else may have a page open. It kills a
 * server and starts it again.
 */
export async function checkOnlineCount({ url, servers }: Cluster, findings: string[]): Promise<CountTimes> {
  const [dying, watched] = servers as [ClusterServer, ClusterServer];
  const watcher = await openPage(watched.url, url);
  await watcher.untilTold(1);
  const pages = [];
  const opened: number[] = [];
  for (let nth = 1; nth <= PAGES; nth++) {
    const startedAt = Date.now();
    pages.push(await openPage(dying.url, url));
    await watcher.untilTold(1 + nth);
    opened.push(Date.now() - startedAt);
  }
  if (opened.some((ms) => ms > PAGE_MS)) findings.push(`The online count was wrong for ${opened.join(', ')} ms`);

  const killedAt = Date.now();
  await dying.kill();
  const isToldOfDeath = watcher.untilTold(1).then(() => Date.now() - killedAt);
  await dying.start();
  await untilReady(dying.url);
  const died = await isToldOfDeath;
  if (died > DEATH_MS) findings.push(`The pages of a dead server were counted for ${died} ms`);
  for (const page of [...pages, watcher]) page.close();
  return { opened, died };
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
      const signal = AbortSignal.timeout(PATIENCE_MS);
      while (online !== count)
        await once(socket, 'message', { signal }).catch(() => {
          throw new Error(`A page was told that ${online} are open, and not ${count}`);
        });
    },
    close: () => socket.terminate(),
  };
}
