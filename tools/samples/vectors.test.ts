import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runVectors } from './harness.ts';
import { SAMPLE_LANGUAGES } from './languages.ts';

const file = readFileSync(new URL('../../samples/vectors/vectors.json', import.meta.url), 'utf8');
const told = JSON.parse(file) as Record<
  'vectors' | 'verdicts',
  { title: string; code: string; key?: unknown; highWater?: number }[]
> & {
  common: { key: string };
};

/** Half of a pair of characters, which not every reader of JSON takes from a file. */
const HALF = { title: 'half a pair', key: told.common.key.replace('.', '.\ud800'), code: 'SIGNATURE' };
const vectors = [...told.vectors, HALF];
const { verdicts } = told;

test.concurrent.each(SAMPLE_LANGUAGES)(
  'the verifier in $name returns the code of every vector',
  async ({ prepare }) => {
    const codes = await runVectors(await prepare(), JSON.stringify({ ...told, vectors }));

    // In a vector of a key, the high water is what the app has stored.
    const ofVerdicts = verdicts.map(({ title, code, highWater = '' }) => ({
      title,
      code: `${code} ${highWater}`.trim(),
    }));
    const all = [...vectors, ...ofVerdicts];
    expect(all.map(({ title }, at) => `${title}: ${codes[at]}`)).toEqual(
      all.map(({ title, code }) => `${title}: ${code}`),
    );
    expect(codes).toHaveLength(all.length);
  },
  60_000,
);
