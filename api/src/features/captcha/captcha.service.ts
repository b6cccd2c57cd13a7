import { createHash } from 'node:crypto';
import type { OperatingSystem } from '@app/contracts/key-system';
import type { Challenge } from 'altcha-lib';
import type { Identity } from '#api/features/devices/identity.ts';
import { randomId } from '#api/secrets/random-id.ts';
import type { Altcha } from './altcha.ts';
import type { CaptchaRepository } from './captcha.repository.ts';

const PASS_LIFETIME_MS = 5 * 60 * 1000;

export interface CaptchaAnswer {
  token: string;
  hwid: string;
  os: OperatingSystem;
  advertiser: string | null;
}

export type CaptchaService = ReturnType<typeof createCaptchaService>;

export function createCaptchaService({
  passes,
  altcha,
  identity,
  now,
}: {
  passes: CaptchaRepository;
  altcha: Altcha;
  identity: Identity;
  now: () => number;
}) {
  return {
    challenge(hwid: string, os: OperatingSystem): Promise<Challenge> {
      return altcha.challenge({ hwidHmac: identity.hwid(hwid), os });
    },

    /** Trades a solved captcha for one pass, which opens one run of this device within five minutes. */
    async verify({ token, hwid, os, advertiser }: CaptchaAnswer): Promise<boolean> {
      const hwidHmac = identity.hwid(hwid);
      const solved = await altcha.verify(token, { hwidHmac, os });
      if (solved === undefined) return false;

      const at = now();
      return passes.grant({
        id: randomId(),
        provider: altcha.provider,
        tokenHash: createHash('sha256').update(solved).digest('base64url'),
        hwidHmac,
        os,
        advertiser,
        passedAt: at,
        expiresAt: at + PASS_LIFETIME_MS,
        consumedAt: null,
      });
    },
  };
}
