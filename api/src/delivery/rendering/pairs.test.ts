import { expect, test } from 'vitest';
import { buildRelease } from '#api/test/delivery/build-release.ts';
import { listPairs, nameOfPair } from './pairs.ts';

test('the pairs that most visitors get come first', () => {
  const pairs = listPairs([
    ['tools', ['1.0.0', '1.1.0'].map((version) => buildRelease('tools', { version }))],
    ['shell', ['2.0.0', '2.1.0'].map((version) => buildRelease('shell', { version }))],
    ['companion', [buildRelease('companion', { version: '3.0.0' })]],
    ['marketing', []],
  ]);

  expect(pairs.map(nameOfPair)).toEqual([
    'tools@1.0.0 in shell@2.0.0',
    'companion@3.0.0 in shell@2.0.0',
    'tools@1.1.0 in shell@2.0.0',
    'tools@1.0.0 in shell@2.1.0',
    'companion@3.0.0 in shell@2.1.0',
    'tools@1.1.0 in shell@2.1.0',
  ]);
});

test('a shell with translations renders each pair in every language, the original one first', () => {
  const shell = buildRelease('shell', { translations: { vi: { script: 'vi.js' } } });

  expect(
    listPairs([
      ['shell', [shell]],
      ['tools', [buildRelease('tools')]],
      ['companion', [buildRelease('companion')]],
    ]).map(nameOfPair),
  ).toEqual([
    'tools@0.1.0 in shell@0.1.0',
    'companion@0.1.0 in shell@0.1.0',
    'tools@0.1.0 in shell@0.1.0 (vi)',
    'companion@0.1.0 in shell@0.1.0 (vi)',
  ]);
});

test('without a shell nothing is rendered', () => {
  expect(listPairs([['tools', [buildRelease('tools')]]])).toEqual([]);
});
