import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { repeatedly } from '../../api/src/ops/progress.ts';
import { run } from '../machine/run.ts';
import { listUnitFolders } from '../build/units.ts';
import { median } from './measure/median.ts';
import type { Row } from './measure/table.ts';

const REPEATS = 3;

/** A unit alone takes at most this part of the time of `npm run build` from nothing. */
const BAR = 0.4;

/** Measures the build of everything from nothing, and that of each unit alone, alternately. It ends with a full `dist`. */
export async function benchBuilds(): Promise<Row[]> {
  const units = listUnitFolders().map((folder) => basename(folder));
  const all: number[] = [];
  const alone = new Map<string, number[]>(units.map((unit) => [unit, []]));

  await repeatedly('Builds', REPEATS, async () => {
    rmSync('dist', { recursive: true, force: true });
    all.push(await measure('scripts/build.ts'));
    for (const [unit, times] of alone) {
      const folder = mkdtempSync(join(tmpdir(), 'bench-build-'));
      times.push(await measure('scripts/build-release.ts', unit, folder));
      rmSync(folder, { recursive: true });
    }
  });
  return [...alone].map(([unit, times]) => {
    const ratio = median(times) / median(all);
    const verdict = ratio > BAR ? 'missed' : 'held';
    return { unit, aloneMs: median(times), allMs: median(all), ratio, bar: BAR, verdict };
  });
}

/** How long a script takes, in milliseconds. */
async function measure(...args: string[]): Promise<number> {
  const startedAt = performance.now();
  await run(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return Math.round(performance.now() - startedAt);
}
