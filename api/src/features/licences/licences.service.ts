import { createHash, randomBytes } from 'node:crypto';
import type { Pseudonyms } from '#api/features/devices/pseudonyms.ts';
import { randomId } from '#api/crypto/random-id.ts';
import type { LicencesRepository } from './licences.repository.ts';
import type { ResetRequestsRepository } from './reset-requests.repository.ts';

const TOKEN_BYTES = 32;
const RESET_LIFETIME_MS = 30 * 60 * 1000;

interface LicencesDeps {
  licences: LicencesRepository;
  resetRequests: ResetRequestsRepository;
  pseudonyms: Pseudonyms;
  now: () => number;
}

export type LicencesService = ReturnType<typeof createLicencesService>;

/** Takes requests to reset the devices of a licence. */
export function createLicencesService({ licences, resetRequests, pseudonyms, now }: LicencesDeps) {
  return {
    /**
     * Stores a request to reset the devices of a licence.
     * @returns false when no licence has this e-mail address
     */
    async requestReset(email: string): Promise<boolean> {
      const emailHmac = pseudonyms.email(email);
      const [licence] = await licences.listByEmail(emailHmac);
      if (!licence) return false;

      const at = now();
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      await resetRequests.insert({
        id: randomId(),
        licenceId: licence.id,
        emailHmac,
        tokenHash: createHash('sha256').update(token).digest('base64url'),
        createdAt: at,
        expiresAt: at + RESET_LIFETIME_MS,
      });
      return true;
    },
  };
}
