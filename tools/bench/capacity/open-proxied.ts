import { randomBytes } from 'node:crypto';
import { openDatabase } from '../../attack/world/database.ts';
import type { PlayedSite, SiteOptions } from '../../attack/world/world.ts';
import { startNginx } from '../../cluster/nginx.ts';
import { ensureNginx } from '../../machine/ensure-installed.ts';
import { createServer } from '../../site/server.ts';
import { freePort } from '../../machine/free-port.ts';

/** Where visitors of the bench say what their network is. They all come from this machine. */
const VISITORS = { networks: ['127.0.0.1'], header: 'X-Forwarded-For' };

/**
 * Opens a site of one server behind nginx with the files of `deploy/`, which keeps what they say that it keeps.
 * @param postgresUrl the PostgreSQL server to use
 */
export async function openProxied(
  { folder, settings, limits }: SiteOptions,
  postgresUrl: string,
): Promise<PlayedSite & { nginxPid: () => number }> {
  await ensureNginx();
  const database = await openDatabase({ folder, postgresUrl });
  const port = await freePort();
  const own = await freePort();
  const url = `http://localhost:${port}`;
  const nginx = await startNginx(folder, port, [own], VISITORS);
  const server = createServer({
    folder,
    limits,
    settings: {
      ...database.settings,
      ...settings,
      PORT: String(own),
      BASE_URL: url,
      // Without one every browser has QA access on a machine for development, and no page is the same for all.
      QA_ACCESS_KEY: randomBytes(32).toString('hex'),
    },
  });

  return {
    server,
    database: {
      ...database,
      async drop() {
        await nginx.stop();
        await database.drop();
      },
    },
    nginxPid: () => nginx.pid,
  };
}
