import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { finishRun } from '../attack/players/finish-run.ts';
import { createPlayer } from '../attack/players/player.ts';
import { createRandom } from '../attack/world/random.ts';
import { openWorld } from '../attack/world/world.ts';
import { installPeer } from '../machine/install-peer.ts';
import { run } from '../machine/run.ts';

/** Its clients check every answer against the reference. */
const GENERATOR = 'openapi-zod-client@1.18.3';

/** What is used of a generated client. */
interface GeneratedClient {
  getKey: (asked: { queries: { hwid: string; zone: string } }) => Promise<{ status: string; key?: string }>;
  verifyKey: (check: { key: string; hwid: string; nonce: string }) => Promise<{ valid: boolean; verdict?: string }>;
}

/**
 * Generates a client from the reference of a running server, and lets it get and check the key of a visitor.
 * @returns whether it got the key that was earned, and a signed verdict about it
 */
export async function soakGenerated(seed: number): Promise<boolean> {
  const folder = await installPeer(GENERATOR);
  const file = `${folder}/client.mts`;
  const random = createRandom(seed);
  const world = await openWorld({ random });

  try {
    const site = world.client.baseUrl;
    await run(`${folder}/node_modules/.bin/openapi-zod-client`, [`${site}/openapi.json`, '-o', file], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const generated = (await import(pathToFileURL(file).href)) as { createApiClient: (at: string) => GeneratedClient };
    const client = generated.createApiClient(site);
    const player = createPlayer(world, { random, address: '203.0.113.1' });
    const { hwid, zone } = player;

    const before = await client.getKey({ queries: { hwid, zone } });
    const earned = await finishRun({ player, world });
    const { key = '' } = await client.getKey({ queries: { hwid, zone } });
    const { valid, verdict } = await client.verifyKey({ key, hwid, nonce: randomUUID() });
    const isOk = before.status === 'none' && key === earned && valid && verdict !== undefined;
    console.log(`\nThe client of ${GENERATOR} ${isOk ? 'got' : 'did not get'} a key and a verdict`);
    return isOk;
  } catch (error) {
    console.log(`\nThe client of ${GENERATOR} failed: ${String(error)}`);
    return false;
  } finally {
    await world.close();
  }
}
