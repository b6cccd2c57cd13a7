import { repeatWithProgress } from '../../../api/src/ops/progress.ts';
import { createRandom } from '../world/random.ts';

export interface KillOptions {
  seed: number;
  kills: number;
  /** The database server to use instead of SQLite. */
  postgres?: { url: string } | undefined;
}

/**
 * Kills something again and again, each time at a random moment of its work.
 * @param title what the progress is called
 * @param workMs how long the work takes
 * @param play begins the work of a round, kills after so many milliseconds, and examines what is left. Returns how long
 *   the same work took without a kill; undefined when it failed
 */
export async function killAtRandom(
  { title, seed, kills, workMs }: KillOptions & { title: string; workMs: number },
  play: (round: number, afterMs: number) => Promise<number | undefined>,
): Promise<void> {
  const random = createRandom(seed).fork(title);
  let lastMs = workMs;
  await repeatWithProgress(title, kills, async (round) => {
    lastMs = (await play(round, random.int(Math.ceil(lastMs)))) ?? lastMs;
  });
}
