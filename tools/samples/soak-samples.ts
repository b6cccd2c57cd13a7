import { playChaos } from './chaos.ts';
import { SAMPLE_LANGUAGES } from './languages.ts';

/** How many wrongs of a client are printed. */
const MAX_SHOWN = 5;

/**
 * Plays the client of each language on a way on which everything happens, and prints what it did wrong.
 * @param options.isEachOnce whether one interpreter of each language is enough
 * @returns whether no client did anything wrong
 */
export async function soakSamples({
  seed,
  rounds,
  isEachOnce,
}: {
  seed: number;
  rounds: number;
  isEachOnce: boolean;
}): Promise<boolean> {
  const languages = SAMPLE_LANGUAGES.filter(({ isVariant }) => !isEachOnce || !isVariant);
  // At the same time: most of it is waiting for answers that come too late.
  const reports = await Promise.all(languages.map((language) => playChaos(language, { seed, rounds })));

  console.log(`\nThe samples' clients, seed ${seed}: ${rounds} rounds each`);
  for (const { name, calls, failed, wrongs } of reports) {
    console.log(`  ${String(wrongs.length).padStart(6)}  wrongs of ${name}, in ${calls} calls (${failed} failed)`);
    for (const wrong of wrongs.slice(0, MAX_SHOWN)) console.log(`          ${wrong}`);
  }
  return reports.every(({ wrongs }) => wrongs.length === 0);
}
