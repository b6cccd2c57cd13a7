import { playChaos } from './play-chaos.ts';
import { SAMPLE_LANGUAGES } from './languages.ts';

/** How many faults of a client are printed. */
const SHOWN = 5;

interface SamplesSoak {
  seed: number;
  rounds: number;
  /** Whether one interpreter of each language is enough. */
  isEachOnce: boolean;
}

/**
 * Plays the client of each language on a way on which everything happens, and prints what it did wrong.
 * @returns whether no client did anything wrong
 */
export async function soakSamples({ seed, rounds, isEachOnce }: SamplesSoak): Promise<boolean> {
  const languages = SAMPLE_LANGUAGES.filter(({ isVariant }) => !isEachOnce || !isVariant);
  // At the same time: most of it is waiting for answers that come too late.
  const reports = await Promise.all(languages.map((language) => playChaos(language, { seed, rounds })));

  console.log(`\nThe samples' clients, seed ${seed}: ${rounds} rounds each`);
  for (const { name, calls, mishaps, faults } of reports) {
    console.log(
      `  ${String(faults.length).padStart(6)}  faults in ${name}, of ${calls} calls (${mishaps} came to grief)`,
    );
    for (const fault of faults.slice(0, SHOWN)) console.log(`          ${fault}`);
  }
  return reports.every(({ faults }) => faults.length === 0);
}
