#!/usr/bin/env bash
# One would guess: an integrity plugin gives each lazily loaded script and style sheet its own hash.
# What happens: webpack-subresource-integrity gives style sheets of mini-css-extract-plugin none; with webpack's
#   own CSS it gives the script the hash of the style sheet of the same chunk, so each lazy page with CSS is refused
#   by the browser (the build is silent); and with ES module output it gives scripts none. Rspack's built-in plugin
#   hashes all but the chunks of ES module output, which import() loads: these too are silent.
# Why it matters: a move to webpack's own CSS or to ES modules breaks pages or ends the protection without a word.
#   An import map's "integrity" covers import().
# Versions: webpack 5.113.0, webpack-subresource-integrity 5.1.0, mini-css-extract-plugin 2.10.2, css-loader 7.1.5,
#   Rspack 2.3.3, Chromium.
# Source: webpack-subresource-integrity plugin.js, processChunkAssets (one hash a chunk id, the last file's wins);
#   https://rspack.rs/plugins/rspack/subresource-integrity-plugin.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund webpack@5.113.0 webpack-subresource-integrity@5.1.0 \
  mini-css-extract-plugin@2.10.2 css-loader@7.1.5 @rspack/core@2.3.3 playwright-core@1.65.1

echo "import './page.css'; export const title = 'Prices';" > page.js
echo 'h1 { color: red; }' > page.css
echo "globalThis.load = () => import('./page.js');" > entry.js
cat > run.mjs <<'JS'
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { rspack } from '@rspack/core';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import { chromium } from 'playwright-core';
import webpack from 'webpack';
import { SubresourceIntegrityPlugin } from 'webpack-subresource-integrity';

const extract = (Plugin) => ({ rule: { use: [Plugin.loader, 'css-loader'], type: 'javascript/auto' }, plugins: [new Plugin()] });
const builtIn = { rule: { type: 'css/auto' }, plugins: [] };
const compile = (bundler, folder, Integrity, css, esm) =>
  new Promise((resolve, reject) => {
    const names = { filename: '[name].js', chunkFilename: '[id].js', cssChunkFilename: '[id].css' };
    const output = { path: `${process.cwd()}/${folder}`, ...names, publicPath: 'auto', crossOriginLoading: 'anonymous' };
    bundler({
      mode: 'production',
      target: ['web', 'es2022'],
      entry: './entry.js',
      output: esm ? { ...output, module: true, chunkFormat: 'module' } : output,
      experiments: bundler === webpack ? { css: css === builtIn, outputModule: esm } : {},
      module: { rules: [{ test: /\.css$/, ...css.rule }] },
      plugins: [...css.plugins, new Integrity()],
    }).run((error, stats) => {
      if (error || stats.hasErrors() || stats.hasWarnings()) return reject(error ?? new Error(stats.toString()));
      return resolve();
    });
  });
await compile(webpack, 'webpack, extracted', SubresourceIntegrityPlugin, extract(MiniCssExtractPlugin), false);
await compile(webpack, 'webpack, built-in', SubresourceIntegrityPlugin, builtIn, false);
await compile(webpack, 'webpack, modules', SubresourceIntegrityPlugin, builtIn, true);
await compile(rspack, 'rspack, extracted', rspack.SubresourceIntegrityPlugin, extract(rspack.CssExtractRspackPlugin), false);
await compile(rspack, 'rspack, built-in', rspack.SubresourceIntegrityPlugin, builtIn, false);
await compile(rspack, 'rspack, modules', rspack.SubresourceIntegrityPlugin, builtIn, true);

const types = { js: 'text/javascript', css: 'text/css' };
const server = createServer((request, response) => {
  const path = decodeURI(request.url);
  if (path.endsWith('/')) return response.setHeader('content-type', 'text/html').end('<script type="module" src="main.js"></script>');
  const type = types[path.split('.').at(-1)];
  if (!type) return response.writeHead(404).end();
  response.setHeader('content-type', type).end(readFileSync(`.${path}`));
}).listen(0, '127.0.0.1');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' '),
});
console.log(`Chromium ${browser.version()}`);
function tell(name, seen, expected) {
  console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  ${name}: ${seen}`);
  if (seen !== expected) process.exitCode = 1;
}
/** What the lazy page's tags carried, and whether it came. */
async function loadPage() {
  const tags = [];
  const observer = new MutationObserver((changes) => tags.push(...changes.flatMap(({ addedNodes }) => [...addedNodes])));
  observer.observe(document, { childList: true, subtree: true });
  const outcome = await load().then(() => 'page shows', ({ message }) => message.split('.')[0]);
  return { outcome, tags: tags.map((tag) => ({ name: tag.localName, integrity: tag.integrity })) };
}
for (const [folder, expected] of Object.entries({
  'webpack, extracted': 'link: none, script: hash of a .js file; page shows',
  'webpack, built-in': 'link: none, script: hash of a .css file; Loading chunk <id> failed',
  'webpack, modules': 'link: none; page shows',
  'rspack, extracted': 'link: hash of a .css file, script: hash of a .js file; page shows',
  'rspack, built-in': 'link: hash of a .css file, script: hash of a .js file; page shows',
  'rspack, modules': 'link: hash of a .css file; page shows',
})) {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/${folder}/`);
  await page.waitForFunction('globalThis.load');
  const { outcome, tags } = await page.evaluate(loadPage);
  const hashes = new Map(readdirSync(folder).map((file) => [`sha384-${createHash('sha384').update(readFileSync(`${folder}/${file}`)).digest('base64')}`, file]));
  const whose = (integrity) => (integrity ? `hash of a .${hashes.get(integrity)?.split('.').at(-1)} file` : 'none');
  tell(folder, `${tags.map(({ name, integrity }) => `${name}: ${whose(integrity)}`).join(', ')}; ${outcome.replace(/chunk \w+/, 'chunk <id>')}`, expected);
  await page.close();
}
await browser.close();
server.closeAllConnections();
server.close();
JS
node run.mjs
