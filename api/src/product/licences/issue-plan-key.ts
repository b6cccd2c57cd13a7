import { transact } from '#api/foundation/audit/transact.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import type { ActivePlan } from '@app/contracts/active-plan';
import type { AppId } from '@app/contracts/key-system';
import type { Db } from '#api/foundation/db/schema.ts';
import { keySubject, type Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { blockOf } from '#api/product/devices/device.ts';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import type { KeysService } from '#api/product/keys/keys.service.ts';
import { activePlan } from './licence-periods.ts';
import { createLicencesRepository } from './licences.repository.ts';

/** Finds the plan that a device has now, for all of its apps; null when it has none. */
export async function findPlan(
  { db, pseudonyms, now }: { db: Db; pseudonyms: Pick<Pseudonyms, 'hwid'>; now: () => number },
  hwid: string,
): Promise<ActivePlan | null> {
  const at = now();
  return activePlan(await createLicencesRepository(db).listPeriodsOfDevice(pseudonyms.hwid(hwid), at), at);
}

/** A plan's key is valid for a day, or until the plan ends. */
const KEY_TTL_MS = 24 * 60 * 60 * 1000;

/** A key that is valid for this long is given again instead of a new one. */
const REUSE_MS = KEY_TTL_MS / 2;

const SECOND_MS = 1000;

interface PlanKeysDeps {
  db: Db;
  keys: Pick<KeysService, 'prepare'>;
  pseudonyms: Pseudonyms;
  now: () => number;
}

/**
 * Finds the key that a device gets from its paid plan, or issues one.
 * @returns undefined when the device has no plan, or is blocked
 * @throws SignerUnavailable when the key could not be signed
 */
export async function issuePlanKey(
  { db, keys, pseudonyms, now }: PlanKeysDeps,
  appId: AppId,
  hwid: string,
): Promise<{ jws: string; expiresAt: number } | undefined> {
  const at = now();
  const hwidHmac = pseudonyms.hwid(hwid);
  const plan = activePlan(await createLicencesRepository(db).listPeriodsOfDevice(hwidHmac, at), at);
  if (!plan) return undefined;

  const issued = await createKeysRepository(db).listActive(appId, hwidHmac, at);
  const recent = issued.find(({ licenceId }) => licenceId !== null);
  const isEnough = recent && recent.expiresAt + SECOND_MS > Math.min(plan.until, at + REUSE_MS);
  if (isEnough && !blockOf(recent, at)) return recent;

  const key = await keys.prepare({
    appId,
    subject: keySubject(hwid),
    source: 'plan',
    at,
    ttlMs: Math.min(KEY_TTL_MS, plan.until - at),
  });
  const needs = { devices: createDevicesRepository, keys: createKeysRepository, licences: createLicencesRepository };
  const issuedNow = await transact(db, needs, async (tx) => {
    const device = await tx.devices.ensure(appId, hwidHmac, at);
    const periods = await tx.licences.listPeriodsOfDevice(hwidHmac, at);
    const licenceId = periods.find(({ startsAt }) => startsAt <= at)?.licenceId;
    if (licenceId === undefined || blockOf(device, at)) return undefined;

    // A refund or a reset at this moment either comes first, and is seen by the next read, or ends this key as well.
    // The key rests on all of them. Locked in the order of their ids, so that no two transactions wait for each other.
    for (const id of [...new Set(periods.map((period) => period.licenceId))].sort()) await tx.licences.lock(id);
    const covered = activePlan(await tx.licences.listPeriodsOfDevice(hwidHmac, at), at);
    if (!covered) return undefined;
    // The plan has become shorter since it was read, and the key would outlast it.
    if (covered.until < key.expiresAt) return 'shorter';

    await tx.keys.insert({ ...key, deviceId: device.id, runId: null, licenceId });
    tx.record({
      at,
      kind: 'key',
      code: 'issued',
      subject: device.id,
      detail: { jti: key.jti, app: appId, licence: licenceId, until: key.expiresAt },
    });
    return key;
  });
  return issuedNow === 'shorter' ? issuePlanKey({ db, keys, pseudonyms, now }, appId, hwid) : issuedNow;
}
