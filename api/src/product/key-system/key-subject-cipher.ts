import { keySubject } from '#api/foundation/visitors/pseudonyms.ts';
import { deriveSecret, openText, sealText } from '#api/foundation/crypto/secrets.ts';

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
