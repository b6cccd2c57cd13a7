import { createHash } from 'node:crypto';
import type { OperatingSystem } from '@app/contracts/key-system';
import type { Challenge } from 'altcha-lib';
import type { Pseudonyms } from '#api/features/devices/pseudonyms.ts';
import { AppError } from '#api/http/app-error.ts';
import { randomId } from '#api/crypto/random-id.ts';
import type { CaptchaProvider } from './captcha-provider.ts';
import type { CaptchaRepository } from './captcha.repository.ts';

export interface CaptchaAnswer {
  token: string;
  hwid: string;
  os: OperatingSystem;
  advertiser: string | null;
  /** Who solved it: what is stored of the browser, and of the network. */
  visitorHmac: string | null;
  ipHmac: string;
}

export type CaptchaService = ReturnType<typeof createCaptchaService>;

interface CaptchaDeps {
  passes: CaptchaRepository;
  provider: CaptchaProvider;
  pseudonyms: Pseudonyms;
  /** How long a passed captcha can open a run. */
  passMs: number;
  now: () => number;
}

export function createCaptchaService({ passes, provider, pseudonyms, passMs, now }: CaptchaDeps) {
  return {
    /** A puzzle for one device, `costFactor` times as dear as usual. */
    challenge(hwid: string, os: OperatingSystem, { costFactor = 1 }: { costFactor?: number } = {}): Promise<Challenge> {
      if (!provider.challenge)
        throw new AppError('route.not_found', 'The captcha of this site brings its own puzzles.');

      return provider.challenge({ hwidHmac: pseudonyms.hwid(hwid), os }, costFactor);
    },

    /**
     * Trades a solved captcha for one pass, which opens one run of this device.
     * @throws ProviderError when nobody can say whether it is solved
     */
    async verify({ token, hwid, ...answer }: CaptchaAnswer): Promise<boolean> {
      const hwidHmac = pseudonyms.hwid(hwid);
      const solved = await provider.verify(token, { hwidHmac, os: answer.os });
      if (solved === undefined) return false;

      const at = now();
      return passes.grant({
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
