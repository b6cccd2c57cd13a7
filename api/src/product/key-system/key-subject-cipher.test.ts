import { expect, test } from 'vitest';
import { keySubject } from '#api/foundation/visitors/pseudonyms.ts';
import { createKeySubjectCipher } from './ticket.ts';

const createCipher = () => createKeySubjectCipher('pepper');

test('what was sealed before is still opened: runs go on over a new release', () => {
  const cipher = createCipher();
  expect(
    cipher.open(
      'run',
      'OQodIi8ki_JpOfg0EX1y2lvzSDatEF8INZ8zh5jqadm6Onga-hgG2FPDpooYcaIk8Qqf8ljhpdkzxPig0x_JNXnW1w2THXc',
    ),
  ).toBe(keySubject('device-1234'));
  expect(cipher.openZone('run', 'DXgn_XprDSj5kNbg10XUfeewLiHKgjUxaG3e9WJTsvbnpw')).toBe('zone-1');
});

test('a sealed text opens for its own run alone, with its own pepper, and as what it is', () => {
  const cipher = createCipher();
  const [subject, zone] = [cipher.seal('run', 'device-1234'), cipher.sealZone('run', 'zone-1')];

  expect(cipher.open('run', subject)).toBe(keySubject('device-1234'));
  expect(cipher.openZone('run', zone)).toBe('zone-1');
  expect(() => cipher.open('other run', subject)).toThrow();
  expect(() => createKeySubjectCipher('other pepper').open('run', subject)).toThrow();
  expect(() => cipher.open('run', zone)).toThrow();
  expect(() => cipher.openZone('run', subject)).toThrow();
});
