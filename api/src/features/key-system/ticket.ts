import { createHash, randomBytes } from 'node:crypto';
import type { DeviceClaim } from '#api/features/devices/device-claim.ts';
import { deriveSecret } from '#api/crypto/derive-secret.ts';
import { openText, sealText } from '#api/crypto/sealed-text.ts';

const TICKET = /^[A-Za-z0-9_-]{43}$/;

/** The secret of one way through an advertiser: 32 random bytes that only the return address holds. */
export function createTicket(): string {
  return randomBytes(32).toString('base64url');
}

export function isTicket(text: string): boolean {
  return TICKET.test(text);
}

/** What the database keeps of a ticket. */
export function hashTicket(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64url');
}

/** Who left with the ticket, readable only to whoever brings the ticket back. */
export function sealVisitor(ticket: string, attemptId: string, { hwid, zone, os }: DeviceClaim): string {
  return sealText(deriveSecret(ticket, 'visitor of the ticket'), attemptId, JSON.stringify({ hwid, zone, os }));
}

export function openVisitor(ticket: string, attemptId: string, sealed: string): DeviceClaim {
  return JSON.parse(openText(deriveSecret(ticket, 'visitor of the ticket'), attemptId, sealed)) as DeviceClaim;
}
