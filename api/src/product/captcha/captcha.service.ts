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

export interface CaptchaProvider {
  id: 'altcha' | 'recaptcha';
  /** Makes a puzzle, `costFactor` times as dear as usual. Missing where the provider's own widget brings it. */
  challenge?: (subject: CaptchaSubject, costFactor: number) => Promise<Challenge>;
  /**
   * Gives an identifier of the solved captcha; undefined for a wrong or old solution. @throws ProviderError without an
   * answer
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
  passMs: number;
  now: () => number;
}

export function createCaptchaService({ db, provider, pseudonyms, passMs, now }: CaptchaDeps) {
  return {
    /** @throws AppError `route.not_found` when the provider's widget brings its own puzzles */
    challenge(hwid: string, os: OperatingSystem, { costFactor = 1 }: { costFactor?: number } = {}): Promise<Challenge> {
      if (!provider.challenge)
        throw new AppError('route.not_found', 'The captcha of this site brings its own puzzles.');

      return provider.challenge({ hwidHmac: pseudonyms.hwid(hwid), os }, costFactor);
    },

    /**
     * Stores a pass for a solved captcha, which opens one run of this device. @throws ProviderError without an answer
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
