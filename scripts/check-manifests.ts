import { readdirSync } from 'node:fs';
import { findManifestProblems } from './find-manifest-problems.ts';

const workspaces = ['shell', 'api', 'e2e', ...foldersIn('remotes'), ...foldersIn('shared')];

const problems = findManifestProblems(process.cwd(), workspaces);
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exit(1);

function foldersIn(folder: string): string[] {
  return readdirSync(folder).map((name) => `${folder}/${name}`);
}
