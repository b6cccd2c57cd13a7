import { registry } from '#api/foundation/telemetry/metrics.ts';

const SAMPLE = /^(\w+)(?:\{(.*)\})? (\S+)$/;

/**
 * Sums the samples of a metric of this process. All tests of a process count together, so a test compares before and after.
 * @param labels what the samples have to say at least
 */
export async function readMetric(name: string, labels: Record<string, string> = {}): Promise<number> {
  let sum = 0;
  for (const line of (await registry.metrics()).split('\n')) {
    const [, metric, said = '', value] = SAMPLE.exec(line) ?? [];
    const isMeant = Object.entries(labels).every(([label, word]) => said.includes(`${label}="${word}"`));
    if (metric === name && isMeant) sum += Number(value);
  }
  return sum;
}

/** By how much work changes metrics, each given as the arguments of `readMetric`. */
export async function countMeanwhile(
  metrics: readonly (readonly [name: string, labels?: Record<string, string>])[],
  work: () => Promise<unknown>,
): Promise<number[]> {
  const read = () => Promise.all(metrics.map(([name, labels]) => readMetric(name, labels)));
  const before = await read();
  await work();
  return (await read()).map((value, nth) => value - (before[nth] ?? 0));
}
