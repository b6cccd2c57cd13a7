import { readFileSync, writeFileSync } from 'node:fs';
import { CONTRACT_VERSION } from '../shared/contracts/src/release.ts';
import { findListProblems, type ContractList } from '../tools/contract/find-list-problems.ts';
import { readGiven } from '../tools/contract/read-given.ts';

const LIST = 'shared/contracts/contract.json';

/**
 * npm run contract
 * Writes the list of what the shell gives remotes, for the present version of the contract. Refuses while the version is
 * not raised as the changes need it.
 */
const list = JSON.parse(readFileSync(LIST, 'utf8')) as ContractList;
const now: ContractList = { version: CONTRACT_VERSION, gives: readGiven() };
const problems = findListProblems(list, now);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
writeFileSync(LIST, `${JSON.stringify(now, null, 2)}\n`);
