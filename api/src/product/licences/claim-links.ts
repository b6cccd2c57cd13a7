import { PAGES } from '@app/contracts/pages';
import type { claimDetailsSchema, claimedSchema } from '@app/contracts/checkout';
import type { InferOutput } from 'valibot';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { rollBack, transact } from '#api/foundation/audit/transact.ts';
import { buildClaimLink, buildDeviceAdded } from '#api/product/mail/mails.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import type { LicenceRow, ResetRequestRow } from '#api/foundation/db/schema.ts';
import { findOwnedLicence, mailReaderOf, type Licences } from './licences.ts';
import { hashLinkToken, makeLink, shortenHwid } from './links.ts';
import { createLicencesRepository, type LicencesRepository } from './licences.repository.ts';
import { createMailsRepository } from '#api/product/mail/mails.repository.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { createResetRequestsRepository, type ResetRequestsRepository } from './reset-requests.repository.ts';
import { activePlan } from './licence-periods.ts';

/**
 * How many links of a mailbox work at the same time, each for another device, so that it cannot be
 * flooded. Each network can ask for three in a day, and a link works for half an hour.
 */
const MAX_CLAIM_LINKS = 30;

const REPOSITORIES = {
  devices: createDevicesRepository,
  licences: createLicencesRepository,
  mails: createMailsRepository,
  resetRequests: createResetRequestsRepository,
};

/**
 * Queues a mail with the link that adds a device to the newest active licence of an address. An older link for the same
 * device ends; those for other devices stay, since any visitor can ask for them. Does nothing when the address has no
 * active licence.
 */
export async function requestClaim(
  { db, emails, linkDevices, pseudonyms, mailQueue, baseUrl, now }: Omit<Licences, 'limits'>,
  { email, hwid }: { email: string; hwid: string },
): Promise<void> {
  const emailHmac = emails.hmac(email);
  // An address without a licence costs no transaction: there may be many such requests.
  if (!(await findOwnedLicence(createLicencesRepository(db), emailHmac, now()))) return;

  const isQueued = await transact(db, REPOSITORIES, async (tx) => {
    const at = now();
    const owned = await findOwnedLicence(tx.licences, emailHmac, at);
    if (!owned) return false;

    const [licence] = owned.active;
    const reader = await mailReaderOf(tx.licences, emails, licence);
    // The device is locked before the licence, as in every transaction.
    const { id: deviceId } = await tx.devices.ensure('main', pseudonyms.hwid(hwid), at);
    await tx.licences.lock(licence.id);
    if (await tx.resetRequests.isRepeated(owned.licenceIds, deviceId, at)) return rollBack(false);
    await tx.resetRequests.endOpen(owned.licenceIds, deviceId, at);
    if ((await tx.resetRequests.countOpen('claim', owned.licenceIds, at)) >= MAX_CLAIM_LINKS) return rollBack(false);

    const id = randomId();
    const { link, stored } = makeLink(baseUrl(), PAGES.claimPlan, at);
    const sealedDevice = linkDevices.seal(id, hwid);
    const request = { id, purpose: 'claim', licenceId: licence.id, emailHmac, deviceId, sealedDevice } as const;
    await tx.resetRequests.insert({ ...request, ...stored });
    const { expiresAt } = stored;
    await mailQueue.add(tx, buildClaimLink({ reader, link, device: shortenHwid(hwid), expiresAt }), at);
    return true;
  });
  if (isQueued) mailQueue.wake();
}

/** Says what a link would add, and changes nothing; throws `RST_TOKEN` when the link or the plan works no more. */
export async function readClaim(
  deps: Pick<Licences, 'db' | 'linkDevices' | 'limits' | 'now'>,
  token: string,
): Promise<InferOutput<typeof claimDetailsSchema>> {
  const licences = createLicencesRepository(deps.db);
  const resetRequests = createResetRequestsRepository(deps.db);
  const at = deps.now();
  const { request, licence, hwid } = await openClaim({ licences, resetRequests }, deps, token, at);
  const plan = activePlan(await licences.listPeriods(licence.id), at);
  if (!plan) throw new AppError('RST_TOKEN');

  const bound = await licences.listDevices(licence.id);
  const places = deps.limits.devicesPerLicence;
  return {
    device: shortenHwid(hwid),
    plan,
    freePlaces: Math.max(places - bound.length, 0),
    places,
    isBound: bound.some(({ deviceId }) => deviceId === request.deviceId),
    expiresAt: request.expiresAt,
    now: at,
  };
}

/**
 * Adds the device of a link to its licence. A device that is there already stays as it is.
 * @returns the plan that the device has now
 * @throws AppError `RST_TOKEN` when the link was used, has ended or is unknown, or the plan has ended; `CLM_FULL` when
 *   the licence has no place left, and then the link still works
 */
export async function confirmClaim(
  deps: Omit<Licences, 'baseUrl'>,
  token: string,
): Promise<InferOutput<typeof claimedSchema>> {
  const { db, emails, pseudonyms, mailQueue, limits, now } = deps;

  const claimed = await transact(db, REPOSITORIES, async (tx) => {
    const at = now();
    const { request, licence, hwid } = await openClaim(tx, deps, token, at);
    const hwidHmac = pseudonyms.hwid(hwid);
    // The device is locked before the licence, as in every transaction.
    const { id: deviceId } = await tx.devices.ensure('main', hwidHmac, at);
    await tx.licences.lock(licence.id);
    if (!(await tx.resetRequests.use(request.id, at))) throw new AppError('RST_TOKEN');

    const own = activePlan(await tx.licences.listPeriods(licence.id), at);
    if (!own) throw new AppError('RST_TOKEN');

    const bound = await tx.licences.listDevices(licence.id);
    if (!bound.some((binding) => binding.deviceId === deviceId)) {
      if (bound.length >= limits.devicesPerLicence) throw new AppError('CLM_FULL');

      await tx.licences.bind(licence.id, deviceId, at);
      tx.record({ at, kind: 'licence', code: 'claimed', subject: deviceId, detail: { licence: licence.id } });
      const reader = await mailReaderOf(tx.licences, emails, licence);
      const mail = buildDeviceAdded({ reader, device: shortenHwid(hwid), until: own.until });
      await mailQueue.add(tx, mail, at);
    }
    const plan = activePlan(await tx.licences.listPeriodsOfDevice(hwidHmac, at), at) ?? own;
    return { plan, now: at };
  });
  mailQueue.wake();
  return claimed;
}

interface OpenClaim {
  request: ResetRequestRow;
  licence: LicenceRow;
  hwid: string;
}

/** Finds what a link is about; throws `RST_TOKEN` when it was used, has ended or is unknown. */
async function openClaim(
  { licences, resetRequests }: { licences: LicencesRepository; resetRequests: ResetRequestsRepository },
  { linkDevices }: Pick<Licences, 'linkDevices'>,
  token: string,
  at: number,
): Promise<OpenClaim> {
  const request = await resetRequests.findOpen('claim', hashLinkToken(token), at);
  const { id, licenceId, sealedDevice } = request ?? {};
  const licence = licenceId ? await licences.find(licenceId) : undefined;
  if (!request || id === undefined || !licence || !sealedDevice) throw new AppError('RST_TOKEN');

  return { request, licence, hwid: linkDevices.open(id, sealedDevice) };
}
