import * as v from 'valibot';
import { type Packs, packsSchema } from '../../../shared/contracts/src/packs.ts';
import { OpsError } from '../../../api/src/ops/command.ts';
import { describeFailure } from '../../../api/src/ops/release/remote-site.ts';

const TIMEOUT_MS = 20_000;

/**
 * Asks a site for the packages that fit its host API.
 * @throws OpsError when it does not answer, or has none
 */
export async function fetchPacks(site: string): Promise<Packs> {
  const asked = { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(TIMEOUT_MS) };
  const answer = await fetch(new URL('/api/packs', site), asked).catch((error: unknown) => {
    throw new OpsError(describeFailure(error, site), { cause: error });
  });
  const read = v.safeParse(packsSchema, await answer.json().catch(() => undefined));
  if (answer.ok && read.success) {
    const { packs } = read.output;
    if (Object.keys(packs).length > 0) return packs;
    throw new OpsError(`${site} has no packs: its shell is of an earlier build, or is edited there.`);
  }
  throw new OpsError(
    `${site} answers with status ${String(answer.status)}, and has no packs: is it a site of these units?`,
  );
}
