import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer, makeSharedSecrets, type Server, type Settings } from '../site/server.ts';
import { ensurePackages } from '../machine/ensure-installed.ts';
import { freePort } from '../machine/free-port.ts';
import { ensurePostgres } from '../machine/postgres.ts';
import { openDatabaseGroup } from './database-group.ts';
import { startHaproxy, type Haproxy } from './haproxy.ts';
import { startNginx } from './nginx.ts';

const SERVER_COUNT = 2;
/** How long nginx leaves a server alone that was away. */
const LEFT_ALONE_MS = 3000;
const READY_TIMEOUT_MS = 30_000;

/** A server of the cluster, which can be killed, stopped and started at its own address. */
export type ClusterServer = Server & { url: string; database: Haproxy };

export type Cluster = Awaited<ReturnType<typeof openCluster>>;

/**
 * Brings up a whole site on this machine, with the files of `deploy/`: nginx, two servers with HAProxy, three hosts of the
 * database. All data is in a temporary folder, and nothing listens but on loopback.
 * @param settings environment variables of the servers
 * @param limits numbers of the key system that differ from the defaults
 */
export async function openCluster({
  settings = {},
  limits = {},
}: { settings?: Settings; limits?: Record<string, unknown> } = {}) {
  await ensurePostgres();
  await ensurePackages('bubblewrap', 'haproxy', 'nginx-light');
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  // The user of PostgreSQL has a folder in it.
  chmodSync(folder, 0o711);
  const databases = await openDatabaseGroup(folder);
  const url = `http://127.0.0.1:${await freePort()}`;
  const shared = {
    BASE_URL: url,
    TRUST_PROXY: '1',
    RELEASES_DIR: join(folder, 'releases'),
    AUDIT_TRUST_DIR: join(folder, 'audit-trust'),
    ...makeSharedSecrets(folder),
    ...settings,
  };
  const servers: ClusterServer[] = [];
  const proxies: Haproxy[] = [];
  let nginx: Awaited<ReturnType<typeof startNginx>> | undefined;

  async function close(): Promise<void> {
    await nginx?.stop();
    await Promise.all(servers.map((server) => server.kill()));
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await databases.close();
    rmSync(folder, { recursive: true });
  }

  try {
    for (let nth = 1; nth <= SERVER_COUNT; nth++) {
      const port = String(await freePort());
      const database = await startHaproxy(folder, `haproxy${nth}`, databases);
      proxies.push(database);
      const own = { ...shared, PORT: port, DATABASE_URL: database.url };
      const server = createServer({ folder: join(folder, `web${nth}`), limits, settings: own });
      servers.push({ ...server, url: `http://127.0.0.1:${port}`, database });
      await server.start();
    }
    nginx = await startNginx(
      folder,
      Number(new URL(url).port),
      servers.map((server) => Number(new URL(server.url).port)),
    );
  } catch (error) {
    await close();
    throw error;
  }

  return {
    url,
    folder,
    servers: servers as readonly ClusterServer[],
    databases,
    nginx,

    /** Restarts the servers one after another, as `docs/deploy.md` says. */
    async restartServers(): Promise<void> {
      for (const [nth, server] of servers.entries()) {
        if (nth > 0) await wait(LEFT_ALONE_MS);
        await server.stop();
        await server.start();
        await untilReady(server.url);
      }
    },

    close,
  };
}

/** Waits until a server takes visitors. */
export async function untilReady(url: string): Promise<void> {
  const until = Date.now() + READY_TIMEOUT_MS;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (Date.now() > until) throw new Error(`${url} is not ready`);
    await wait(50);
  }
}
