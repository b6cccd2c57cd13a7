import { randomBytes } from 'node:crypto';
import { createChannelsRepository } from '#api/delivery/registry/registry.repository.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { transact } from '#api/foundation/audit/transact.ts';
import type { Db, TrustedCiRow } from '#api/foundation/db/schema.ts';
import { isLoopback } from '#api/foundation/settings/env-checks.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import type { OidcIdentity } from './oidc-identity.ts';
import { createTrustedPublishersRepository } from './deploy-tokens.repository.ts';

/** Which jobs are trusted with a unit. Each member has to be exactly what the job's ID token says. */
export type TrustedPublisher = Pick<TrustedCiRow, 'unit' | 'issuer' | 'repository' | 'ref' | 'environment'> & {
  /** The repository's number; without it, that of the first job that is accepted. */
  repositoryId?: string | undefined;
};

const REPOSITORY_PATTERN = /^[\w.-]+(\/[\w.-]+)+$/;
const REPOSITORY_ID_PATTERN = /^\w{1,40}$/;
const REF_PATTERN = /^refs\/(heads|tags)\/[^\s*?[]+$/;
const ENVIRONMENT_PATTERN = /^[^\p{Cc}]{1,255}$/u;

/** @returns its id, the same as before for what is trusted already; or what is wrong, a sentence each */
export function addTrustedPublisher(
  { db }: { db: Db },
  trust: TrustedPublisher,
  { by, at }: Act,
): Promise<{ id: string } | string[]> {
  const problems = findTrustProblems(trust);
  if (problems.length > 0) return Promise.resolve(problems);

  const needs = { channels: createChannelsRepository, trustedPublishers: createTrustedPublishersRepository };
  return transact<typeof needs, { id: string } | string[]>(db, needs, async (tx) => {
    if (!(await tx.channels.find(trust.unit))) return [`No unit has the name ${trust.unit}; nothing was changed.`];
    const known = (await tx.trustedPublishers.list(trust.issuer)).find((row) => isSame(row, trust));
    if (known && trust.repositoryId !== undefined && trust.repositoryId !== known.repositoryId)
      return [
        `${trust.repository} is trusted already, as the repository ${known.repositoryId ?? 'of its first job'}: trust remove ${known.id} first.`,
      ];
    if (known) return { id: known.id };

    const id = randomBytes(6).toString('hex');
    const { repositoryId = null, ...rest } = trust;
    const detail = { id, ...rest, ...(repositoryId !== null && { repositoryId }), by };
    await tx.trustedPublishers.add({ id, ...rest, repositoryId, createdAt: at, createdBy: by });
    tx.record({ at, kind: 'deploy_token', code: 'ci trusted', subject: null, detail });
    return { id };
  });
}

/** @returns undefined when there is none with this id */
export function removeTrustedPublisher(
  { db }: { db: Db },
  id: string,
  { by, at }: Act,
): Promise<TrustedCiRow | undefined> {
  return transact(db, { trustedPublishers: createTrustedPublishersRepository }, async (tx) => {
    const removed = await tx.trustedPublishers.remove(id);
    if (!removed) return undefined;

    const { unit, issuer, repository, ref, environment } = removed;
    const detail = { id, unit, issuer, repository, ref, environment, by };
    tx.record({ at, kind: 'deploy_token', code: 'ci distrusted', subject: null, detail });
    return removed;
  });
}

/**
 * Reads what is trusted with a job: everything that names it, or from a pull request, where anybody's changes run before
 * they are reviewed, whatever names its repository. From the first accepted job on a name stands for one repository, so that a
 * later one with this name, made when the first was renamed or removed, is another.
 * @param isOld whether something was trusted before the job got what it sends, which else may be another repository's
 * @throws AppError when it is another one
 */
export async function readTrustedPublishers(
  db: Db,
  { issuer, repository, repositoryId, ownerId, ref, environment, isForReview }: OidcIdentity,
  isOld: (row: TrustedCiRow) => boolean,
): Promise<TrustedCiRow[]> {
  const named = (await createTrustedPublishersRepository(db).list(issuer)).filter(
    (row) => row.repository === repository && isOld(row),
  );
  const own = named.filter(
    (row) => (row.repositoryId ?? repositoryId) === repositoryId && (row.ownerId ?? ownerId) === ownerId,
  );
  if (own.length === 0 && named.length > 0)
    throw new AppError(
      'release.not_trusted',
      `${repository} is another repository than the one that is trusted under this name: its id is ${repositoryId ?? 'unknown'}, its owner’s ${ownerId ?? 'unknown'}. If it is yours, have an operator remove the trust and add it again.`,
    );
  return own.filter((row) => isForReview || (row.ref === ref && (row.environment ?? environment) === environment));
}

/** @throws AppError when another repository was faster */
export async function pinTrustedPublishers(
  { db }: { db: Db },
  trusted: readonly TrustedCiRow[],
  identity: OidcIdentity,
  at: number,
): Promise<void> {
  const { repository, repositoryId, ownerId, label } = identity;
  const open = trusted.filter(
    (row) => (repositoryId !== null && row.repositoryId === null) || (ownerId !== null && row.ownerId === null),
  );
  if (open.length === 0) return;

  await transact(db, { trustedPublishers: createTrustedPublishersRepository }, async (tx) => {
    for (const { id, unit } of open)
      if (await tx.trustedPublishers.pin(id, { repositoryId, ownerId })) {
        const detail = { id, unit, repository, repositoryId, ownerId, by: label };
        tx.record({ at, kind: 'deploy_token', code: 'ci pinned', subject: null, detail });
      }
  });
  const own = await readTrustedPublishers(db, identity, ({ id }) => open.some((row) => row.id === id));
  if (own.length < open.length)
    throw new AppError(
      'release.not_trusted',
      `What is trusted with ${repository} has just changed: run the job again.`,
    );
}

function findTrustProblems({ issuer, repository, repositoryId, ref, environment }: TrustedPublisher): string[] {
  return [
    ...(isIssuer(issuer) ? [] : ['--issuer is an https address, such as https://token.actions.githubusercontent.com.']),
    ...(REPOSITORY_PATTERN.test(repository) ? [] : ['--repository is like org/news.']),
    ...(REPOSITORY_ID_PATTERN.test(repositoryId ?? '0') ? [] : ['--repository-id is a number, such as 456789.']),
    ...(REF_PATTERN.test(ref) ? [] : ['--ref is one branch or tag, such as refs/heads/main.']),
    ...(environment === null || ENVIRONMENT_PATTERN.test(environment) ? [] : ['--environment is the name of one.']),
  ];
}

/** Plain http is for tests and development: it is refused unless the issuer is on this machine. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username, password } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return isSafe && search + hash + username + password === '';
}

function isSame(one: TrustedCiRow, other: TrustedPublisher): boolean {
  return (['unit', 'issuer', 'repository', 'ref', 'environment'] as const).every((name) => one[name] === other[name]);
}
