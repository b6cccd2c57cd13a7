import type { Db } from '#api/foundation/db/schema.ts';
import { createTransact } from '#api/foundation/audit/transact.ts';
import { createCaptchaRepository } from '#api/product/captcha/captcha.repository.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import { createAppsRepository } from './apps.repository.ts';
import { createAttemptsRepository } from './attempts.repository.ts';
import { createRunsRepository } from './runs.repository.ts';
import { createStrikesRepository } from './strikes.repository.ts';

/** The repositories of every table that the key system writes. */
export function createRepositories(db: Db) {
  return {
    apps: createAppsRepository(db),
    attempts: createAttemptsRepository(db),
    devices: createDevicesRepository(db),
    keys: createKeysRepository(db),
    passes: createCaptchaRepository(db),
    runs: createRunsRepository(db),
    strikes: createStrikesRepository(db),
  };
}

export const transact = createTransact(createRepositories);
