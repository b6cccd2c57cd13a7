import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { VECTORS } from '../../vectors/make-vectors.mjs';
import { verifyKey, verifyVerdict, type KeyCheck } from '../verify-key.mjs';

afterEach(() => vi.restoreAllMocks());

const { common, vectors, verdicts } = VECTORS;

test('threat 20: a mutated key is answered with an error code alone', async () => {
  for (const { key } of vectors.filter(({ title }) => title.startsWith('threat 20'))) {
    expect(Object.keys(await verifyKey({ ...common, key } as KeyCheck))).toEqual(['code']);
  }
});

test('threat 22: a clock behind the latest trusted time is rejected', async () => {
  const first = await verifyKey(common);
  expect(first).toMatchObject({ code: 'VALID', highWater: common.now });

  const seen = { ...common, highWater: common.now + 3600 };
  expect(await verifyKey({ ...seen, now: common.now + 3600 })).toMatchObject({
    code: 'VALID',
    highWater: common.now + 3600,
  });
  expect(await verifyKey(seen)).toMatchObject({ code: 'CLOCK_BACK' });
});

test('returns UNSUPPORTED where the runtime lacks Ed25519', async () => {
  vi.spyOn(crypto.subtle, 'importKey').mockRejectedValue(new DOMException('Unrecognized name.', 'NotSupportedError'));

  expect(await verifyKey(common)).toEqual({ code: 'UNSUPPORTED' });
  expect(await verifyVerdict({ ...common, verdict: String(verdicts[0]?.verdict) })).toEqual({ code: 'UNSUPPORTED' });
});

test('vectors.json equals the output of make-vectors.mjs', () => {
  const written: unknown = JSON.parse(readFileSync(new URL('../../vectors/vectors.json', import.meta.url), 'utf8'));

  expect(written).toEqual(VECTORS);
});
