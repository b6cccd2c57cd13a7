import { randomId } from '#api/foundation/crypto/secrets.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { measureRuns } from '#api/product/key-system/measure-runs.ts';
import { createRunsRepository } from '#api/product/key-system/runs.repository.ts';
import type { Stage } from './stage.ts';

const MINUTE_MS = 60_000;

/** Longer than any of the runs takes. */
const BETWEEN_MS = 20 * MINUTE_MS;

/**
 * Inserts completed runs as if they were of as many networks, and measures them. They took 5 to 11 minutes, 8 in the
 * middle. Only their rows are made: played with all their steps, they would take as long as a hundred other scenarios.
 */
export async function addPastRuns({ db, appId, hwidHmac, now }: Stage, count: number): Promise<void> {
  const runs = createRunsRepository(db);
  const device = await createDevicesRepository(db).ensure(appId, hwidHmac, now());

  for (let nth = 1; nth <= count; nth++) {
    const completedAt = now() - nth * BETWEEN_MS;
    await runs.insert({
      id: randomId(),
      appId,
      deviceId: device.id,
      zoneHmac: '',
      sealedSubject: '',
      os: 'android',
      stepsRequired: 6,
      step: 6,
      state: 'completed',
      ipHmac: `seed-${String(nth)}`,
      createdAt: completedAt - (5 + (nth % 7)) * MINUTE_MS,
      updatedAt: completedAt,
      expiresAt: completedAt,
      completedAt,
    });
  }
  await measureRuns({ db, now });
}
