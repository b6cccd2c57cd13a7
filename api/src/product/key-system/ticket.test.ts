import { expect, test } from 'vitest';
import { createTicket, hashTicket, isTicket, openVisitor, sealVisitor } from './ticket.ts';

const VISITOR = { hwid: 'device-1234', zone: 'zone-1', os: 'ios' } as const;

test('a ticket is 32 random bytes in 43 characters of an address, and nothing longer or shorter is one', () => {
  const ticket = createTicket();

  expect(Buffer.from(ticket, 'base64url')).toHaveLength(32);
  expect(ticket).not.toBe(createTicket());
  expect([ticket, 'A-z_0'.repeat(9).slice(2)].map(isTicket)).toEqual([true, true]);
  expect([`${ticket}x`, ticket.slice(1), ` ${ticket}`, `${ticket}\n`, `${ticket.slice(1)}%`].map(isTicket)).toEqual(
    Array(5).fill(false),
  );
});

test('of a ticket the database keeps the SHA-256', () => {
  expect(hashTicket('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
});

test('who left with a ticket is read with that ticket and for that attempt alone', () => {
  const [ticket, other] = [createTicket(), createTicket()];
  const sealed = sealVisitor(ticket, 'attempt', VISITOR);

  expect(openVisitor(ticket, 'attempt', sealed)).toEqual(VISITOR);
  expect(() => openVisitor(other, 'attempt', sealed)).toThrow();
  expect(() => openVisitor(ticket, 'other attempt', sealed)).toThrow();
});

test('who left before a new release is still read after it', () => {
  const sealed = 'AC5F7FJ-19D1Bwabg8qcoFqPZHY57GOdB58EYjREjR-t5wbL5BNyUxbqinzP7c4RGoRWYakmTHyn3Kw2N2tEwQzE';

  expect(openVisitor('A'.repeat(43), 'attempt', sealed)).toEqual({ hwid: 'device-1234', zone: 'zone-1' });
});
