#!/usr/bin/env bash
# One would guess: a remote whose exposed module has a type error is built without types, or the build ends with an error;
#   and `dts: { generateTypes: { abortOnError: true } }` asks for the latter.
# What happens: the build succeeds. After a good build in the same folder it emits the former build's @mf-types.zip with the
#   new code, `output.clean` or not; in an empty folder there is none, and the manifest names it all the same. The error
#   (TYPE-001) is printed beside the build, without what tsc said. With abortOnError: true it is not even printed, and
#   nothing is aborted. TypeScript 6 and 7 do the same.
# Why it matters: hosts type-check against a remote that is gone, and a CI that keeps dist is green. Run tsc before the
#   build, empty the folder yourself, and take a build without its @mf-types.zip for failed.
# Versions: @module-federation/enhanced and dts-plugin 2.9.3, webpack 5.113.0, Rspack 2.3.3, TypeScript 6.0.3 and 7.0.2.
# Source: @module-federation/dts-plugin dist/index.js (GenerateTypesPlugin takes what lies in the folder, and catches what
#   generateTypes threw); https://module-federation.io/configure/dts.html.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund webpack@5.113.0 @rspack/core@2.3.3 @module-federation/enhanced@2.9.3 typescript@7.0.2 typescript-6@npm:typescript@6.0.3 fflate@0.8.2
cat > build.mjs <<'JS'
// In a process of its own: what does the build end with?
const [, , context, builder, dts] = process.argv;
const { ModuleFederationPlugin } = await import(`@module-federation/enhanced/${builder}`);
const bundler = builder === 'webpack' ? (await import('webpack')).default : (await import('@rspack/core')).rspack;
const output = { path: `${context}/dist`, publicPath: 'auto', uniqueName: 'shop', clean: true };
const plugin = new ModuleFederationPlugin({ name: 'shop', filename: 'entry.js', exposes: { './page': './page.ts' }, manifest: true, ...JSON.parse(dts) });
const rules = [{ test: /\.ts$/, use: `${process.cwd()}/strip.cjs` }];
bundler({ mode: 'production', context, entry: {}, output, module: { rules }, infrastructureLogging: { level: 'none' }, plugins: [plugin] }).run((error, stats) => {
  if (error || stats.hasErrors()) process.exitCode = 1;
});
JS
echo "module.exports = (source) => require('node:module').stripTypeScriptTypes(source);" > strip.cjs
cat > run.mjs <<'JS'
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';

const good = 'export function price(article: string): string { return article; }\n';
const bad = 'export function price(article: number): number { return article.length; }\n';
async function build(context, builder, source, dts) {
  writeFileSync(`${context}/page.ts`, source);
  const [code, said] = await new Promise((resolve) =>
    execFile(process.execPath, ['build.mjs', context, builder, JSON.stringify(dts)], (error, stdout, stderr) => resolve([error?.code ?? 0, stdout + stderr])));
  const zip = `${context}/dist/@mf-types.zip`;
  const types = existsSync(zip) ? strFromU8(unzipSync(readFileSync(zip))['compiled-types/page.d.ts']) : '';
  const has = types === '' ? 'no types' : types.includes('(article: string)') ? "the good build's types" : "the bad build's types";
  const named = JSON.parse(readFileSync(`${context}/dist/mf-manifest.json`, 'utf8')).metaData.types.zip;
  return `ends with ${code}, prints ${/TYPE-001/.exec(said)?.[0] ?? 'nothing'}, ${has}, the manifest names ${named || 'none'}`;
}
for (const [compiler, builder] of [['typescript', 'webpack'], ['typescript', 'rspack'], ['typescript-6', 'rspack']]) {
  const context = `${process.cwd()}/${compiler}-${builder}`;
  mkdirSync(`${context}/node_modules`, { recursive: true });
  symlinkSync(`${process.cwd()}/node_modules/${compiler}`, `${context}/node_modules/typescript`);
  writeFileSync(`${context}/package.json`, '{ "name": "shop", "version": "1.0.0", "type": "module" }');
  writeFileSync(`${context}/tsconfig.json`, '{ "compilerOptions": { "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "strict": true, "rootDir": "." }, "include": ["*.ts"] }');
  const { version } = JSON.parse(readFileSync(`${context}/node_modules/typescript/package.json`, 'utf8'));
  for (const [name, source, dts, expected] of [
    ['no error', good, {}, "ends with 0, prints nothing, the good build's types, the manifest names @mf-types.zip"],
    ['then an error', bad, {}, "ends with 0, prints TYPE-001, the good build's types, the manifest names @mf-types.zip"],
    ['an error, abortOnError', bad, { dts: { generateTypes: { abortOnError: true } } }, "ends with 0, prints nothing, the good build's types, the manifest names @mf-types.zip"],
    ['an error in an empty folder', bad, {}, 'ends with 0, prints TYPE-001, no types, the manifest names @mf-types.zip'],
  ]) {
    if (name.endsWith('empty folder')) rmSync(`${context}/dist`, { recursive: true });
    const seen = await build(context, builder, source, dts);
    console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  TypeScript ${version}, ${builder}, ${name}: ${seen}`);
    if (seen !== expected) process.exitCode = 1;
  }
}
JS
node run.mjs
