import { expect, test } from 'vitest';
import { rankCodings } from './headers.ts';

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br gzip identity'],
  ['gzip', 'gzip identity'],
  ['GZIP;q=1.0, BR; q=0.5', 'gzip br identity'],
  ['br;q=0, gzip', 'gzip identity'],
  ['*', 'br gzip identity'],
  ['*;q=0.2, gzip;q=0.9', 'gzip br identity'],
  ['identity, br;q=0.5', 'identity br'],
  ['identity;q=0.5, br', 'br identity'],
  ['br, identity;q=0', 'br'],
  ['br, *;q=0', 'br'],
  ['*;q=0', ''],
  ['br;q=x', 'identity'],
])('Accept-Encoding %j asks for %j', (header, ranked) => {
  expect(rankCodings(header).join(' ')).toBe(ranked);
});
