import { expect, test } from 'vitest';
import { parseOs } from './key-system.ts';

test('an operating system is read in any case, and unknown ones are rejected', () => {
  for (const os of ['android', 'android_vng', 'ios', 'windows'])
    for (const written of [os, os.toUpperCase(), `${os[0]?.toUpperCase()}${os.slice(1)}`])
      expect(parseOs(written)).toBe(os);
  expect(parseOs('beos')).toBeUndefined();
  expect(parseOs(undefined)).toBeUndefined();
});
