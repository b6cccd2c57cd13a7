import { setTimeout as wait } from 'node:timers/promises';
import { repeatWithProgress } from '../../../api/src/ops/progress.ts';
import { DEVICE_LIMITS, simulateDevices } from '../players/devices.ts';
import type { Report } from '../report.ts';
import { createRandom } from '../world/random.ts';
import { openWorld } from '../world/world.ts';

const MIN_CRASH_INTERVAL_MS = 50;
const MAX_CRASH_INTERVAL_MS = 900;

/**
 * Kills and restarts the server many times while devices play. After each restart it compares what each device was told
 * with what the server knows. In the end every run has to reach its key.
 * @param postgres the database server to use instead of SQLite; if it has `crash`, every third kill crashes it instead
 */
export async function playCrashes({
  seed,
  kills,
  postgres,
}: {
  seed: number;
  kills: number;
  postgres?: { url: string; crash?: () => Promise<void> } | undefined;
}): Promise<Report> {
  const random = createRandom(seed);
  const world = await openWorld({ random, postgresUrl: postgres?.url, limits: DEVICE_LIMITS });

  try {
    world.toleratesErrors = true;
    const playing = simulateDevices(world, { random });

    await repeatWithProgress(`Kills, ${world.database.name}`, kills, async (kill) => {
      await wait(MIN_CRASH_INTERVAL_MS + random.int(MAX_CRASH_INTERVAL_MS - MIN_CRASH_INTERVAL_MS));
      playing.pause.isDown = true;
      if (postgres?.crash && kill % 3 === 2) {
        await postgres.crash();
      } else {
        await world.server.kill();
        await world.start();
      }
      if (!world.server.isRunning()) throw new Error(`The server ended by itself:\n${world.server.logTail()}`);
      playing.pause.isDown = false;
      await playing.compare();
    });
    await playing.finish();
    return {
      summary: `${world.database.name}, seed ${seed}: ${kills} kills under ${playing.devices.length} devices on their way, ${playing.factCount()} acknowledged facts, ${world.requests} answers`,
      findings: world.findings,
    };
  } finally {
    await world.close();
  }
}
