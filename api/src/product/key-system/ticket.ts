import { createHash, randomBytes } from 'node:crypto';
import type { DeviceClaim } from '#api/product/devices/device.ts';
import { deriveSecret, openText, sealText } from '#api/foundation/crypto/secrets.ts';
import { keySubject } from '#api/foundation/visitors/pseudonyms.ts';

const TICKET = /^[A-Za-z0-9_-]{43}$/;

/** Makes the secret of one attempt: 32 random bytes in base64url, which only the return address holds. */
export function createTicket(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a text has the form of a ticket. */
export function isTicket(text: string): boolean {
  return TICKET.test(text);
}

/** The SHA-256 of a ticket, which the database stores instead of it. */
export function hashTicket(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64url');
}

/**
 * Encrypts device id, zone and system with a key derived from the ticket, so that only the bearer of the ticket can
 * read them.
 */
export function sealVisitor(ticket: string, attemptId: string, { hwid, zone, os }: DeviceClaim): string {
  return sealText(deriveSecret(ticket, 'visitor of the ticket'), attemptId, JSON.stringify({ hwid, zone, os }));
}

/**
 * Decrypts what `sealVisitor` encrypted.
 * @throws Error when the ticket or the attempt is another one
 */
export function openVisitor(ticket: string, attemptId: string, sealed: string): DeviceClaim {
  return JSON.parse(openText(deriveSecret(ticket, 'visitor of the ticket'), attemptId, sealed)) as DeviceClaim;
}

export type KeySubjectCipher = ReturnType<typeof createKeySubjectCipher>;

/**
 * Encrypts what a run stores: what its key will be bound to, and its zone. A postback may finish a run while the
 * visitor, who alone knows the device id, is away. And a ticket knows only the zone that the run had when it was
 * issued.
 */
export function createKeySubjectCipher(pepper: string) {
  const secret = deriveSecret(pepper, 'subject of the run');
  const zoneSecret = deriveSecret(pepper, 'zone of the run');

  return {
    seal: (runId: string, hwid: string) => sealText(secret, runId, keySubject(hwid)),
    open: (runId: string, sealed: string) => openText(secret, runId, sealed),

    sealZone: (runId: string, zone: string) => sealText(zoneSecret, runId, zone),
    openZone: (runId: string, sealed: string) => openText(zoneSecret, runId, sealed),
  };
}
