import { createHash } from 'node:crypto';
import type { OperatingSystem } from '@app/contracts/key-system';
import type { Challenge } from 'altcha-lib';
import type { Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { createCaptchaRepository } from './captcha.repository.ts';

/** The device that a captcha is solved for. For another device the solution is worth nothing. */
export interface CaptchaSubject {
  hwidHmac: string;
  os: OperatingSystem;
}

/** Checks that a visitor is no machine. */
export interface CaptchaProvider {
  id: 'altcha' | 'recaptcha';
  /**
   * Makes a puzzle for one device, which costs `costFactor` times the usual computing time. Missing where the
   * provider's own widget brings the puzzle.
   */
  challenge?: (subject: CaptchaSubject, costFactor: number) => Promise<Challenge>;
  /**
   * Checks a solution.
   * @returns an identifier of the solved captcha; undefined when the solution is wrong, too old, or for another subject
   * @throws ProviderError when the provider does not answer
   */
  verify: (token: string, subject: CaptchaSubject) => Promise<string | undefined>;
}

export interface CaptchaAnswer {
  token: string;
  hwid: string;
  os: OperatingSystem;
  advertiser: string | null;
  /** The HMACs of the browser and of the network that solved it. */
  visitorHmac: string | null;
  ipHmac: string;
}

export type CaptchaService = ReturnType<typeof createCaptchaService>;

interface CaptchaDeps {
  db: Db;
  provider: CaptchaProvider;
  pseudonyms: Pseudonyms;
  /** How long a pass is valid, in milliseconds. */
  passMs: number;
  now: () => number;
}

/** Gives puzzles, and passes for solved ones. */
export function createCaptchaService({ db, provider, pseudonyms, passMs, now }: CaptchaDeps) {
  return {
    /**
     * Makes a puzzle for one device, which costs `costFactor` times the usual computing time.
     * @throws AppError `route.not_found` when the provider's widget brings its own puzzles
     */
    challenge(hwid: string, os: OperatingSystem, { costFactor = 1 }: { costFactor?: number } = {}): Promise<Challenge> {
      if (!provider.challenge)
        throw new AppError('route.not_found', 'The captcha of this site brings its own puzzles.');

      return provider.challenge({ hwidHmac: pseudonyms.hwid(hwid), os }, costFactor);
    },

    /**
     * Checks a solved captcha and stores a pass for it, which opens one run of this device.
     * @returns false when the solution is wrong or was handed in before
     * @throws ProviderError when the provider does not answer
     */
    async verify({ token, hwid, ...answer }: CaptchaAnswer): Promise<boolean> {
      const hwidHmac = pseudonyms.hwid(hwid);
      const solved = await provider.verify(token, { hwidHmac, os: answer.os });
      if (solved === undefined) return false;

      const at = now();
      return createCaptchaRepository(db).grant({
        id: randomId(),
        provider: provider.id,
        tokenHash: createHash('sha256').update(solved).digest('base64url'),
        hwidHmac,
        ...answer,
        passedAt: at,
        expiresAt: at + passMs,
        consumedAt: null,
      });
    },
  };
}
