import { execFile } from 'node:child_process';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { finishRun } from '../attack/players/finish-run.ts';
import { createPlayer } from '../attack/players/player.ts';
import { createRandom } from '../attack/world/random.ts';
import { openWorld } from '../attack/world/world.ts';
import { listen } from '../machine/free-port.ts';
import { buildOutdated } from '../units/build-units.ts';

export interface Message {
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * Starts the built server, from which the tools get what its users get. End it with `close`.
 * @param limits numbers of the key system that differ from the defaults
 */
export async function openProduct(limits: Record<string, unknown> = {}) {
  await buildOutdated();
  const random = createRandom(1);
  const settings = { WEBHOOK_ADDRESSES: 'any' };
  const world = await openWorld({ random, settings, limits });
  const env = { ...process.env, ...settings, DATA_DIR: `${world.folder}/data`, NODE_ENV: 'development' };
  let message = Promise.withResolvers<Message>();
  const receiver = createServer((req, res) => {
    void text(req).then((body) => message.resolve({ headers: req.headers, body }));
    res.writeHead(204).end();
  });

  /** Earns a key of the companion, whose run is the shortest. */
  const earnKey = async () => {
    const player = createPlayer(world, { random, address: '203.0.113.1', app: 'companion' });
    return { hwid: player.hwid, key: await finishRun({ player, world }) };
  };

  return {
    site: world.client.baseUrl,
    jwks: world.jwks,
    earnKey,

    /** Adds a webhook. Gives its secret, and a function that has something happen and gives what is told of it. */
    async addWebhook() {
      const url = `http://127.0.0.1:${await listen(receiver)}/`;
      const asked = ['dist/api/ops.js', '--json', 'webhook', 'add', '--app', 'companion', '--url', url];
      const { stdout } = await promisify(execFile)(process.execPath, asked, { env });
      const { secret } = JSON.parse(stdout) as { secret: string };
      const receive = async () => {
        message = Promise.withResolvers<Message>();
        await earnKey();
        return message.promise;
      };
      return { secret, receive };
    },

    async close() {
      receiver.close();
      await world.close();
    },
  };
}
