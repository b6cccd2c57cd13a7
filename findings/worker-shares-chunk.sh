#!/usr/bin/env bash
# One would guess: a worker thread, written as new Worker(new URL('./thread.js', import.meta.url)) in a program that is built
#   as an ES module, starts whatever it imports: the builder sees to it that its chunks reach it.
# What happens: where the thread and the program import one large module, default splitting puts that into a chunk of both.
#   Rspack's file of the thread imports the chunk and calls __webpack_require__.C with it, which the runtime of the thread
#   does not have: "__webpack_require__.C is not a function". The build has no warning, and the program itself runs.
#   With `optimization.splitChunks: false` it starts. webpack writes its own helper into the middle of the call: the program
#   ends with "Cannot read properties of undefined (reading 'wc')", without a chunk in common, too. Neither build warns.
# Why it matters: a thread that works stops working on the day on which the program imports what it imports, too; and it
#   works in tests, which run the sources.
# Versions: Rspack 2.3.3, webpack 5.113.0, Node 20 and newer.
# Source: what both write, here without minification.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund @rspack/core@2.3.3 webpack@5.113.0

mkdir src
{ echo 'export const words = ['; for i in $(seq 4000); do echo "  'a word of the shared module $i',"; done; echo '];'; } > src/words.js
echo "import { parentPort } from 'node:worker_threads'; import { words } from './words.js'; parentPort.postMessage(words.length);" > src/thread.js
cat > src/program.js <<'JS'
import { Worker } from 'node:worker_threads';
const { words } = await import('./words.js');
const thread = new Worker(new URL('./thread.js', import.meta.url));
thread.on('message', (count) => console.log(count === words.length ? 'the thread starts' : 'other words'));
thread.on('error', (error) => console.log(`the thread ends: ${error.message}`));
JS
cat > run.mjs <<'JS'
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rspack } from '@rspack/core';
import webpack from 'webpack';

const compile = (bundler, folder, splitChunks) =>
  new Promise((resolve, reject) => {
    const config = {
      mode: 'production',
      target: 'node20',
      entry: './src/program.js',
      output: { path: `${process.cwd()}/${folder}`, module: true, chunkFormat: 'module', library: { type: 'module' } },
      optimization: { minimize: false, ...splitChunks },
      experiments: bundler === webpack ? { outputModule: true } : {},
    };
    bundler(config).run((error, stats) => {
      if (error || stats.hasErrors() || stats.hasWarnings()) reject(error ?? new Error(stats.toString()));
      else resolve();
    });
  });

let isAsSeen = true;
for (const [name, bundler, splitChunks, expected] of [
  ['rspack', rspack, {}, 'the thread ends: __webpack_require__.C is not a function'],
  ['rspack, splitChunks: false', rspack, { splitChunks: false }, 'the thread starts'],
  ['webpack', webpack, {}, "the program ends: Cannot read properties of undefined (reading 'wc')"],
  ['webpack, splitChunks: false', webpack, { splitChunks: false }, "the program ends: Cannot read properties of undefined (reading 'wc')"],
]) {
  const folder = name.replaceAll(/\W+/g, '-');
  await compile(bundler, folder, splitChunks);
  const file = [`${folder}/main.mjs`, `${folder}/main.js`].find((one) => existsSync(one));
  const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  const seen = stdout.trim() || `the program ends: ${/Error: (.*)/.exec(stderr)?.[1]}`;
  console.log(`${name}: ${seen}`);
  isAsSeen &&= seen === expected;
}
process.exit(isAsSeen ? 0 : 1);
JS
node run.mjs
