import { RESET_WINDOW_MS } from '#api/product/limits/limits.ts';
import { PAGES } from '@app/contracts/pages';
import type { resetDetailsSchema } from '@app/contracts/checkout';
import type { InferOutput } from 'valibot';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { buildResetDone, buildResetLink } from '#api/product/mail/mails.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import { findOwnedLicence, mailReaderOf, type Licences, type ResetLimits } from './licences.ts';
import { hashLinkToken, makeLink } from './links.ts';
import { createLicencesRepository } from './licences.repository.ts';
import { createMailsRepository } from '#api/product/mail/mails.repository.ts';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import { transact } from '#api/foundation/audit/transact.ts';
import { createResetRequestsRepository } from './reset-requests.repository.ts';
import { endOutlastingKeys } from './licence-periods.ts';

/**
 * How many links of a mailbox work at the same time. Each of them serves its owner as well as the next would, so the
 * bound keeps a mailbox from being flooded and no owner out.
 */
const MAX_RESET_LINKS = 3;

const REPOSITORIES = {
  keys: createKeysRepository,
  licences: createLicencesRepository,
  mails: createMailsRepository,
  resetRequests: createResetRequestsRepository,
};

/**
 * Queues a mail with the link that resets the devices of an address. Older links still work, since any visitor can ask
 * for the next one. Where the mailbox has several that work, it gets no more.
 * @returns `unknown` when the address has no active licence; `refused` when its mail server does not take the mail
 */
export async function requestReset(
  { db, emails, mailQueue, limits, baseUrl, now }: Omit<Licences, 'linkDevices' | 'pseudonyms'>,
  email: string,
): Promise<'requested' | 'unknown' | 'refused'> {
  const emailHmac = emails.hmac(email);
  // An address without a licence costs no transaction: there may be many such requests.
  if (!(await findOwnedLicence(createLicencesRepository(db), emailHmac, now()))) return 'unknown';

  let mailId: string | undefined;
  const isKnown = await transact(db, REPOSITORIES, async (tx) => {
    const at = now();
    const owned = await findOwnedLicence(tx.licences, emailHmac, at);
    if (!owned) return false;

    const [licence] = owned.active;
    const reader = await mailReaderOf(tx.licences, emails, licence);
    // One request after the other, so that each counts the links before it.
    await tx.licences.lock(licence.id);
    if (await tx.resetRequests.isRepeated(owned.licenceIds, null, at)) return true;
    if ((await tx.resetRequests.countOpen('reset', owned.licenceIds, at)) >= MAX_RESET_LINKS) return true;

    const { link, stored } = makeLink(baseUrl(), PAGES.resetDevices, at);
    await tx.resetRequests.insert({ id: randomId(), licenceId: licence.id, emailHmac, ...stored });
    const done = await tx.resetRequests.listResets(owned.licenceIds, at - RESET_WINDOW_MS);
    const { expiresAt } = stored;
    const mail = buildResetLink({ reader, link, expiresAt, nextAt: nextReset(done, limits, at) });
    mailId = await mailQueue.add(tx, mail, at);
    return true;
  });
  if (!isKnown) return 'unknown';
  return mailId !== undefined && (await mailQueue.sendAndWait(mailId)) ? 'refused' : 'requested';
}

/** Says what a link would reset, and changes nothing; throws `RST_TOKEN` when it works no more. */
export async function readReset(
  { db, limits, now }: Pick<Licences, 'db' | 'limits' | 'now'>,
  token: string,
): Promise<InferOutput<typeof resetDetailsSchema>> {
  const licences = createLicencesRepository(db);
  const resetRequests = createResetRequestsRepository(db);
  const at = now();
  const request = await resetRequests.findOpen('reset', hashLinkToken(token), at);
  const owned = request && (await findOwnedLicence(licences, request.emailHmac, at));
  if (!owned) throw new AppError('RST_TOKEN');

  const devices = [];
  for (const { id } of owned.active) devices.push(...(await licences.listDevices(id)));
  const done = await resetRequests.listResets(owned.licenceIds, at - RESET_WINDOW_MS);
  return {
    devices: devices.map(({ boundAt }) => ({ boundAt })),
    plan: owned.plan,
    nextAt: nextReset(done, limits, at),
    expiresAt: request.expiresAt,
    now: at,
  };
}

/**
 * Resets the devices of an address: unbinds those of all its active licences and revokes the keys of these plans.
 * @throws AppError `RST_TOKEN` when the link was used, has ended or is unknown; `RST_LIMIT` when the devices were reset
 *   a short time ago, and then the link still works
 */
export async function confirmReset(
  { db, emails, mailQueue, limits, baseUrl, now }: Omit<Licences, 'linkDevices' | 'pseudonyms'>,
  token: string,
): Promise<void> {
  await transact(db, REPOSITORIES, async (tx) => {
    const at = now();
    const request = await tx.resetRequests.findOpen('reset', hashLinkToken(token), at);
    if (!request) throw new AppError('RST_TOKEN');

    // Locked in the order of their ids, so that no two transactions wait for each other.
    const all = await tx.licences.listByEmail(request.emailHmac);
    for (const id of all.map((licence) => licence.id).sort()) await tx.licences.lock(id);
    const owned = await findOwnedLicence(tx.licences, request.emailHmac, at);
    if (!owned) throw new AppError('RST_TOKEN');

    const done = await tx.resetRequests.listResets(owned.licenceIds, at - RESET_WINDOW_MS);
    // Before the limit: a second confirmation that waited for the first one has to learn that the link was used.
    if (!(await tx.resetRequests.use(request.id, at))) throw new AppError('RST_TOKEN');
    const until = nextReset(done, limits, at);
    if (until !== null) throw new AppError('RST_LIMIT', undefined, { until });

    await tx.resetRequests.endOpen(owned.licenceIds, null, at);
    for (const { id: licence } of owned.active) {
      const hwidHmacs = await tx.licences.listHwids(licence);
      const unbound = await tx.licences.unbindAll(licence, at);
      await endOutlastingKeys(tx, hwidHmacs, 'devices reset', at);
      tx.record({ at, kind: 'licence', code: 'reset', subject: null, detail: { licence, devices: unbound.length } });
    }
    const nextAt = nextReset([...done, at], limits, at) ?? at;
    const reader = await mailReaderOf(tx.licences, emails, owned.active[0]);
    await mailQueue.add(tx, buildResetDone({ reader, baseUrl: baseUrl(), nextAt }), at);
  });
  mailQueue.wake();
}

/**
 * When the devices of an address may be reset next.
 * @param done when they were reset in the last 30 days
 * @returns null when they may be reset at once
 */
export function nextReset(
  done: readonly number[],
  { resetPauseMs, resetsIn30Days }: ResetLimits,
  at: number,
): number | null {
  const newestFirst = [...done].sort((one, other) => other - one);
  const [last] = newestFirst;
  const oldestThatCounts = newestFirst[resetsIn30Days - 1];

  const next = Math.max(
    last === undefined ? 0 : last + resetPauseMs,
    oldestThatCounts === undefined ? 0 : oldestThatCounts + RESET_WINDOW_MS,
  );
  return next > at ? next : null;
}
