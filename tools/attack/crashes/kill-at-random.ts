import { repeatedly } from '../../../api/src/ops/progress.ts';
import type { Random } from '../world/random.ts';

export interface KillOptions {
  seed: number;
  kills: number;
  /** The database server to use instead of SQLite. */
  postgres?: { url: string } | undefined;
}

export interface Round {
  /** What was killed, and when. */
  what: string;
  /** How long the same work took without a kill; undefined when it failed. */
  workMs: number | undefined;
  problems: string[];
}

/**
 * Kills something again and again, each time at a random moment of its work.
 * @param title what the progress is called
 * @param workMs how long the work takes
 * @param play begins the work of a round, kills after so many milliseconds, and examines what is left
 * @returns what was wrong
 */
export async function killAtRandom(
  { title, random, kills, workMs }: { title: string; random: Random; kills: number; workMs: number },
  play: (round: number, afterMs: number) => Promise<Round>,
): Promise<string[]> {
  const findings: string[] = [];
  let lastMs = workMs;
  await repeatedly(title, kills, async (round) => {
    const { what, workMs: ms = lastMs, problems } = await play(round, random.int(Math.ceil(lastMs)));
    lastMs = ms;
    findings.push(...problems.map((problem) => `${what}: ${problem}`));
  });
  return findings;
}
