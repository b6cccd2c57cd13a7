import { expect, test } from 'vitest';
import { keySubject } from '#api/foundation/visitors/pseudonyms.ts';
import { createKeySubjectCipher, createTicket, hashTicket, isTicket, openVisitor, sealVisitor } from './ticket.ts';

const VISITOR = { hwid: 'device-1234', zone: 'zone-1', os: 'ios' } as const;

test('a ticket is 32 random bytes in 43 characters of base64url', () => {
  const ticket = createTicket();

  expect(Buffer.from(ticket, 'base64url')).toHaveLength(32);
  expect(ticket).not.toBe(createTicket());
  expect([ticket, 'A-z_0'.repeat(9).slice(2)].map(isTicket)).toEqual([true, true]);
  expect([`${ticket}x`, ticket.slice(1), ` ${ticket}`, `${ticket}\n`, `${ticket.slice(1)}%`].map(isTicket)).toEqual(
    Array(5).fill(false),
  );
});

test('a ticket is hashed with SHA-256', () => {
  expect(hashTicket('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
});

test('a sealed visitor can be opened with its own ticket and attempt only', () => {
  const [ticket, other] = [createTicket(), createTicket()];
  const sealed = sealVisitor(ticket, 'attempt', VISITOR);

  expect(openVisitor(ticket, 'attempt', sealed)).toEqual(VISITOR);
  expect(() => openVisitor(other, 'attempt', sealed)).toThrow();
  expect(() => openVisitor(ticket, 'other attempt', sealed)).toThrow();
});

test('a visitor sealed by an earlier release can be opened', () => {
  const sealed = 'AC5F7FJ-19D1Bwabg8qcoFqPZHY57GOdB58EYjREjR-t5wbL5BNyUxbqinzP7c4RGoRWYakmTHyn3Kw2N2tEwQzE';

  expect(openVisitor('A'.repeat(43), 'attempt', sealed)).toEqual({ hwid: 'device-1234', zone: 'zone-1' });
});

const createCipher = () => createKeySubjectCipher('pepper');

test('a device and a zone sealed by an earlier release can be opened', () => {
  const cipher = createCipher();
  expect(
    cipher.open(
      'run',
      'OQodIi8ki_JpOfg0EX1y2lvzSDatEF8INZ8zh5jqadm6Onga-hgG2FPDpooYcaIk8Qqf8ljhpdkzxPig0x_JNXnW1w2THXc',
    ),
  ).toBe(keySubject('device-1234'));
  expect(cipher.openZone('run', 'DXgn_XprDSj5kNbg10XUfeewLiHKgjUxaG3e9WJTsvbnpw')).toBe('zone-1');
});

test('a sealed device or zone can be opened with its own run and pepper only', () => {
  const cipher = createCipher();
  const [subject, zone] = [cipher.seal('run', 'device-1234'), cipher.sealZone('run', 'zone-1')];

  expect(cipher.open('run', subject)).toBe(keySubject('device-1234'));
  expect(cipher.openZone('run', zone)).toBe('zone-1');
  expect(() => cipher.open('other run', subject)).toThrow();
  expect(() => createKeySubjectCipher('other pepper').open('run', subject)).toThrow();
  expect(() => cipher.open('run', zone)).toThrow();
  expect(() => cipher.openZone('run', subject)).toThrow();
});
