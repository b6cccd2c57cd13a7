import { expect, test } from 'vitest';
import { signJws } from '#api/foundation/crypto/jws.ts';
import { OURS } from '#api/test/audit-chain.ts';
import { readAnchor, signAnchor } from './anchor.ts';

const ANCHOR = { day: '2027-01-15', firstSeq: 1, lastSeq: 5, lastHash: 'hash' };
const CLAIMS = { day: '2027-01-15', first_seq: 1, last_seq: 5, last_hash: 'hash' };

test('a signed anchor has the documented format', async () => {
  const [header, claims] = (await signAnchor(OURS, ANCHOR))
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as object);

  expect(header).toEqual({ alg: 'EdDSA', kid: 'ours', typ: 'audit-anchor+jws' });
  expect(claims).toEqual(CLAIMS);
});

test('rejects any other text signed with our key as an anchor', async () => {
  expect(readAnchor(await signAnchor(OURS, ANCHOR), [OURS.publicJwk])).toEqual(ANCHOR);
  expect(readAnchor(signJws(OURS, 'key+jws', CLAIMS), [OURS.publicJwk])).toBeUndefined();
});
