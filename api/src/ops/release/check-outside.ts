import { isHostApiMet } from '@app/contracts/host-api-fit';
import type { Release } from '@app/contracts/release';
import { type Resolution, resolutionSchema } from '@app/contracts/resolution';
import { SHELL } from '@app/contracts/unit';
import * as v from 'valibot';
import { findStyleProblems, findWeightProblems, readStaged } from '#api/delivery/store/staged-release.ts';
import { type Answer, OpsError } from '#api/ops/command.ts';
import { describeFailure } from './remote-site.ts';

const TIMEOUT_MS = 30_000;

const NOT_ASKED =
  'Without a token the site was not asked to render its pages, and compared with nothing it keeps to itself.';

/** For somebody who may not ask the site to check: by itself, and with what the site tells every visitor. */
export async function checkOutside(origin: string, folder: string): Promise<Answer> {
  const read = await readStaged(folder, false);
  if (!read.isOk) throw new OpsError(read.problems.join('\n'));

  const { release } = read;
  const problems = [
    ...(await findWeightProblems(release, folder)),
    ...(await findStyleProblems(release, folder)),
    ...findIncompatibilities(release, await fetchResolution(origin)),
  ];
  if (problems.length > 0) throw new OpsError(problems.join('\n'));

  const { unit, version } = release;
  return {
    data: { outcome: 'fit', unit, version, notices: [NOT_ASKED] },
    text: `${unit}@${version} fits what ${origin} tells everybody.\n${NOT_ASKED}`,
  };
}

function findIncompatibilities({ unit, version, contract, routes }: Release, { units }: Resolution): string[] {
  const { contract: provided, version: shell } = units[SHELL] ?? {};
  const owners = Object.entries(units).filter(([other]) => other !== unit);
  return [
    ...(provided !== undefined && !isHostApiMet(provided, contract.version)
      ? [
          `${unit}@${version} requires host API ${contract.version}, the shell provides ${provided} (${SHELL}@${shell ?? ''})`,
        ]
      : []),
    ...routes.flatMap(({ path }) =>
      owners.flatMap(([other, of]) => (of.routes.includes(path) ? [`${path} belongs to ${other}`] : [])),
    ),
  ];
}

async function fetchResolution(origin: string): Promise<Resolution> {
  const answer = await fetch(new URL('/api/federation/resolution', origin), {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new OpsError(describeFailure(error, origin), { cause: error });
  });
  const read = v.safeParse(resolutionSchema, await answer.json().catch(() => undefined));
  if (answer.ok && read.success) return read.output;
  throw new OpsError(
    `${origin} answers with status ${String(answer.status)}, but not as this product does: check the address.`,
  );
}
