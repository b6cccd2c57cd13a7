#!/usr/bin/env bash
# One would guess: `npx <address of a tarball>` runs what the address has now: npx asks for it on every call, and the
#   address is no version.
# What happens: what ran first runs for ever. npm downloads the tarball three times for the first call and once more for
#   the second one, and then runs the first one's files although version and bytes are others: an npx folder is
#   named by the words on the command line, and a package with the same address counts as the same. `pnpm dlx` keeps it
#   for a day, `yarn dlx` does not even ask. A redirect changes nothing; another query does. npm 12 refuses the
#   address (EALLOWREMOTE) unless --allow-remote=root is given, which npm 11 takes as well.
# Why it matters: a site that offers its tool by `npx https://…/tool.tgz` has users on the first version they met, and
#   the access log looks as if all of them had fetched the new one. Name the version in the address.
# Versions: npm 11.19.1 and 12.2.2, pnpm 12.21.0, Yarn 4.18.1, Node.
# Source: libnpmexec lib/index.js (missingFromTree, the hash of packages); https://docs.npmjs.com/cli/commands/npx;
#   https://pnpm.io/settings#dlxcachemaxage; https://yarnpkg.com/cli/dlx.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts npm11@npm:npm@11.19.1 npm12@npm:npm@12.2.2 pnpm@12.21.0 yarn4@npm:@yarnpkg/cli-dist@4.18.1
for release in 1 2; do
  mkdir -p "$release/package"
  echo "{ \"name\": \"tool\", \"version\": \"$release.0.0\", \"bin\": \"tool.js\" }" > "$release/package/package.json"
  printf '#!/usr/bin/env node\nconsole.log("release %s runs");\n' "$release" > "$release/package/tool.js"
  chmod +x "$release/package/tool.js"
  tar czf "$release.tgz" -C "$release" package
done

cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';

let release;
let asked;
const server = createServer((request, response) => {
  if (request.url.startsWith('/latest')) return response.writeHead(302, { location: `/${release}/tool.tgz` }).end();
  if (request.method === 'GET') asked += 1;
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'cache-control': 'no-cache' });
  response.end(readFileSync(`${release}.tgz`));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const site = `http://127.0.0.1:${server.address().port}`;

/** Each case has a home of its own, so nothing is cached before its first call. */
async function call(home, [file, ...args]) {
  mkdirSync(`${home}/work`, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, CI: '1', npm_config_cache: `${home}/cache`, YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1', YARN_ENABLE_TELEMETRY: '0' };
  const child = spawn(process.execPath, [`${process.cwd()}/node_modules/${file}`, ...args], { cwd: `${home}/work`, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  await once(child, 'close');
  return /release \d runs|EALLOWREMOTE/.exec(output)?.[0] ?? output.slice(-300);
}
const npx = (npm) => (address) => [`${npm}/bin/npx-cli.js`, '--yes', '--allow-remote=root', address];
const yarn = (address) => ['yarn4/bin/yarn.js', 'dlx', '-p', `tool@${address}`, 'tool'];
const old = 'release 1 runs, 3 GET; release 1 runs, 1 GET';
for (const [index, [name, command, first, second, expected]] of [
  ['npx of npm 11', npx('npm11'), '/tool.tgz', '/tool.tgz', old],
  ['npx of npm 12', npx('npm12'), '/tool.tgz', '/tool.tgz', old],
  ['npx of npm 12, redirected', npx('npm12'), '/latest.tgz', '/latest.tgz', old],
  ['npx of npm 12, another query', npx('npm12'), '/tool.tgz?1', '/tool.tgz?2', 'release 1 runs, 3 GET; release 2 runs, 3 GET'],
  ['npx of npm 12, nothing allowed', (address) => ['npm12/bin/npx-cli.js', '--yes', address], '/tool.tgz', '/tool.tgz', 'EALLOWREMOTE, 0 GET; EALLOWREMOTE, 0 GET'],
  ['pnpm dlx', (address) => ['pnpm/bin/pnpm.mjs', 'dlx', address], '/tool.tgz', '/tool.tgz', 'release 1 runs, 2 GET; release 1 runs, 0 GET'],
  ['yarn dlx', yarn, '/tool.tgz', '/tool.tgz', 'release 1 runs, 1 GET; release 1 runs, 0 GET'],
].entries()) {
  const calls = [];
  for (const [number, path] of [[1, first], [2, second]]) {
    release = number;
    asked = 0;
    calls.push(`${await call(`${process.cwd()}/home-${index}`, command(site + path))}, ${asked} GET`);
  }
  const seen = calls.join('; ');
  console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  ${name}: ${seen}`);
  if (seen !== expected) process.exitCode = 1;
}
server.closeAllConnections();
server.close();
JS
node run.mjs
