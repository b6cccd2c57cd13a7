import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Compilation, sources, type Compiler } from '@rspack/core';
import { THIRD_PARTY_NOTICES } from '../../shared/contracts/src/release.ts';

const PACKAGE_FOLDER = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;
const OWN_PACKAGE_PATTERN = /[\\/]node_modules[\\/]@app[\\/][^\\/]+$/;
const NOTICE_FILE = /^(licen[cs]e|copying|notice)/i;

/** The licences, by their names in SPDX, that let a closed product contain a package as long as it shows their texts. */
const ALLOWED_LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
]);

/** Entries contain its runtime, though none of its modules. */
const BUNDLER_FOLDER = dirname(createRequire(import.meta.url).resolve('@rspack/core/package.json'));

/**
 * Writes the licences of all packages that a build contains into a file beside it (docs/decisions/105-licences-in-builds.md).
 * @param copied the notices of what the build contains and no package brings, as files
 */
export const thirdPartyNotices =
  (copied: readonly string[] = []) =>
  (compiler: Compiler) => {
    const name = 'third-party-notices';
    const stage = Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;

    compiler.hooks.thisCompilation.tap(name, (compilation) => {
      compilation.hooks.processAssets.tap({ name, stage }, () => {
        const files = [...compilation.modules].flatMap((module) => module.nameForCondition() ?? []);
        compilation.emitAsset(THIRD_PARTY_NOTICES, new sources.RawSource(collectNotices(files, copied)));
      });
    });
  };

/**
 * Collects the notices of all packages to which files belong, each version once, sorted. Our own need none.
 * @param copied files with further notices
 * @throws Error when a package is under a licence that is not agreed, or comes without its text
 */
export function collectNotices(files: readonly string[], copied: readonly string[] = []): string {
  const folders = files.flatMap((file) => PACKAGE_FOLDER.exec(file)?.[0] ?? []);
  const notices = [...new Set([BUNDLER_FOLDER, ...folders])]
    .filter((folder) => !OWN_PACKAGE_PATTERN.test(folder))
    .map(describePackage);
  notices.push(...copied.map((file) => readFileSync(file, 'utf8')));
  return [...new Set(notices)].sort().join(`\n${'-'.repeat(80)}\n\n`);
}

function describePackage(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>;
  const { name, version, license = 'no licence' } = manifest;
  const alternatives = license.replace(/[()]/g, '').split(' OR ');
  if (!alternatives.some((one) => ALLOWED_LICENCES.has(one)))
    throw new Error(`${name} ${version} is under ${license}, which is not among the agreed licences`);

  const texts = readdirSync(folder)
    .filter((file) => NOTICE_FILE.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
  if (texts.length === 0) throw new Error(`${name} ${version} has no text of its licence, ${license}`);

  return `${name} ${version}, ${license}\n\n${texts.join('\n\n')}\n`;
}
