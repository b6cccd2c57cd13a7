import { readFileSync, writeFileSync } from 'node:fs';
import { HOST_API_VERSION } from '../shared/contracts/src/unit.ts';
import { findListProblems, type HostApiList, readGiven } from '../tools/host-api/host-api.ts';

const LIST = 'shared/contracts/host-api.json';

/**
 * node scripts/launch.mjs host-api
 * Writes the list of what the shell gives remotes, for the present version of the host API. Refuses while the version is
 * not raised as the changes need it.
 */
const list = JSON.parse(readFileSync(LIST, 'utf8')) as HostApiList;
const now: HostApiList = { version: HOST_API_VERSION, gives: readGiven() };
const problems = findListProblems(list, now);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
writeFileSync(LIST, `${JSON.stringify(now, null, 2)}\n`);
