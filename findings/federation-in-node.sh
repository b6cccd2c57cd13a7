#!/usr/bin/env bash
# One would guess: in Node a remote's files come from the address of its entry, and a load that failed is tried again by the
#   next loadRemote(), as in a browser.
# What happens: a chunk is first looked for on the server's own disk, under the path that the entry has in its address: with
#   the entry at https://shop.example/app/dist/entry.js, a /app/dist/page.js of the host's container is run in place
#   of the remote's page.js, and the remote's server is not asked. And nobody looks at the status of an answer: an entry that
#   came as a 502 without a body counts as loaded, empty, and every host of the process fails (RUNTIME-002) without asking
#   again until it is started anew. After an error with a text or a page as its body the next call heals.
# Why it matters: containers are all alike (/app/dist), and so are chunks' names. Put a name and a version into the path of
#   a remote, and have load balancers answer errors with a body: the runtime's `fetch` hook, which could look at
#   the status, is not called for entries.
# Versions: @module-federation/node 2.7.52, runtime and enhanced 2.9.3, webpack 5.113.0, Rspack 2.3.3, Node.
# Source: @module-federation/node dist/src/runtimePlugin.mjs, setupChunkHandler (fs.existsSync(filename)) and fetchAndRun;
#   @module-federation/sdk dist/node.cjs, createScriptNode (`__dirname` is the path of the address).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund @module-federation/node@2.7.52 @module-federation/enhanced@2.9.3 @module-federation/runtime@2.9.3 \
  webpack@5.113.0 @rspack/core@2.3.3
mkdir shop
echo '{ "name": "shop", "version": "1.0.0" }' > shop/package.json
echo "exports.title = () => import(/* webpackChunkName: 'title' */ './title.js').then(({ title }) => title);" > shop/page.js
echo "export const title = 'of the remote';" > shop/title.js
cat > build.mjs <<'JS'
const [, , builder] = process.argv;
const { ModuleFederationPlugin } = await import(`@module-federation/enhanced/${builder}`);
const bundler = builder === 'webpack' ? (await import('webpack')).default : (await import('@rspack/core')).rspack;
const library = { type: 'commonjs-module' };
const output = { path: `${process.cwd()}/${builder}`, publicPath: 'auto', uniqueName: 'shop', chunkFilename: '[name].js', library };
const runtimePlugins = [`${process.cwd()}/node_modules/@module-federation/node/dist/src/runtimePlugin.js`];
const plugin = new ModuleFederationPlugin({ name: 'shop', filename: 'entry.js', library, exposes: { './page': './page.js' }, dts: false, runtimePlugins });
const options = { mode: 'production', target: 'async-node', context: `${process.cwd()}/shop`, entry: {}, output, infrastructureLogging: { level: 'none' } };
bundler({ ...options, plugins: [plugin] }).run((error, stats) => {
  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString());
});
JS
cat > host.mjs <<'JS'
// A server's process: two hosts in it load the remote, the first one twice.
import { createInstance } from '@module-federation/runtime';

const [, , entry, looks] = process.argv;
const look = async (url, init) => {
  const answer = await fetch(url, init);
  if (!answer.ok) throw new Error(`${answer.status} for ${url}`);
  return answer;
};
const plugins = looks ? [{ name: 'look', fetch: look }] : [];
const make = (name) => createInstance({ name, plugins, remotes: [{ name: 'shop', entry, type: 'commonjs-module' }] });
const load = (host) => host.loadRemote('shop/page').then((page) => page.title()).catch(({ message }) => /RUNTIME-\d+/.exec(message)?.[0] ?? 'rejects');
const first = make('first');
const seen = [await load(first), await load(first), await load(make('second'))];
console.log(JSON.stringify(seen));
process.exit();
JS
cat > run.mjs <<'JS'
import { execFileSync, execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { promisify } from 'node:util';

let builder;
let firstAnswer;
let asked;
const server = createServer(({ url }, response) => {
  const file = url.split('/').at(-1);
  asked[file] = (asked[file] ?? 0) + 1;
  if (file === 'entry.js' && asked[file] === 1 && firstAnswer !== undefined) return response.writeHead(502).end(firstAnswer);
  if (!existsSync(`${builder}/${file}`)) return response.writeHead(404).end();
  response.end(readFileSync(`${builder}/${file}`));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const remote = 'of the remote, of the remote, of the remote';
for (builder of ['webpack', 'rspack']) {
  execFileSync(process.execPath, ['build.mjs', builder], { stdio: 'inherit' });
  const disk = `${process.cwd()}/${builder}-host/dist`;
  mkdirSync(disk, { recursive: true });
  writeFileSync(`${disk}/title.js`, readFileSync(`${builder}/title.js`, 'utf8').replaceAll('of the remote', 'of the host'));
  for (const [name, path, answer, expected] of [
    ['a path that is not on the disk', '/shop', undefined, `${remote}; entry 1, title 1 time(s)`],
    ['a path that is on the disk, too', disk, undefined, `${remote.replaceAll('remote', 'host')}; entry 1, title 0 time(s)`],
    ['502 with a page first', '/shop', '<!doctype html><title>Bad gateway</title>', 'rejects, of the remote, of the remote; entry 2, title 1 time(s)'],
    ['502 without a body first', '/shop', '', 'RUNTIME-002, RUNTIME-002, RUNTIME-002; entry 1, title 0 time(s)'],
    ['502 without a body first, a fetch hook looks', '/shop', '', 'RUNTIME-002, RUNTIME-002, RUNTIME-002; entry 1, title 0 time(s)'],
  ]) {
    firstAnswer = answer;
    asked = {};
    const entry = `http://127.0.0.1:${server.address().port}${path}/entry.js`;
    const { stdout } = await promisify(execFile)(process.execPath, ['host.mjs', entry, name.endsWith('looks') ? 'looks' : '']);
    const seen = `${JSON.parse(stdout.trim().split('\n').at(-1)).join(', ')}; entry ${asked['entry.js']}, title ${asked['title.js'] ?? 0} time(s)`;
    console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  ${builder}, ${name}: ${seen}`);
    if (seen !== expected) process.exitCode = 1;
  }
}
server.closeAllConnections();
server.close();
JS
node run.mjs
