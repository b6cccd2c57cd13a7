import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, extname, join } from 'node:path';
import type { Compiler } from '@rspack/core';
import type { Release } from '../../shared/contracts/src/release.ts';
import { SHELL, type Unit } from '../../shared/contracts/src/unit.ts';
import { compileMessages } from './message-loader.ts';

/** The catalogues that every unit contains, besides its own. */
const IN_EVERY_UNIT = ['design-system', 'brand-ui'];

/** Catalogues whose translations come with the code that shows them: readers of the language do not load them. */
const LAZY_CATALOGUES = ['shell/qa'];

/** A font that a stylesheet takes from its folder or from a package. */
const FONT_URL_PATTERN = /url\('([^']+\.woff2)'\)/g;

/**
 * Adds the texts of a unit in other languages to its build: for each language a script, and with the shell the
 * fonts of the language. A page in the original language needs none of it.
 * @param folders with a folder for each language, named as in `lang` of HTML; the first that has a catalogue counts
 * @param hasHash whether the names of files have the hashes of their content
 */
export const translationFiles = (unit: Unit, folders: readonly string[], hasHash: boolean) => (compiler: Compiler) => {
  const name = 'translations';
  const { Compilation, sources } = compiler.rspack;
  compiler.hooks.thisCompilation.tap(name, (compilation) => {
    const emit = (path: string, content: string | Buffer): string => {
      const hash = createHash('sha256').update(content).digest('hex').slice(0, 8);
      const end = extname(path);
      const file = hasHash ? `${path.slice(0, -end.length)}.${hash}${end}` : path;
      if (!compilation.getAsset(file)) compilation.emitAsset(file, new sources.RawSource(content));
      return file;
    };

    compilation.hooks.processAssets.tap({ name, stage: Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL }, () => {
      for (const language of new Set(folders.flatMap(listLanguages))) {
        const [folder = '', ...others] = folders.map((one) => join(one, language));
        const catalogues = listCatalogues(folder, ...others).filter((catalogue) => isPartOf(unit, catalogue.name));
        for (const { file } of catalogues) compilation.fileDependencies.add(file);
        emit(`static/translations/${language}.js`, writeScript(language, catalogues));

        const fonts = join(folder, 'fonts.css');
        if (unit !== SHELL || !existsSync(fonts)) continue;
        compilation.fileDependencies.add(fonts);
        const { resolve } = createRequire(fonts);
        const css = readFileSync(fonts, 'utf8').replaceAll(FONT_URL_PATTERN, (_, file: string) => {
          const path = resolve(file);
          return `url('../../${emit(`static/fonts-${language}/${basename(file)}`, readFileSync(path))}')`;
        });
        emit(`static/translations/${language}.css`, css);
      }
    });
  });
};

export function findTranslations(files: readonly string[]): Release['translations'] {
  const found = files.flatMap((script) => {
    const language = /^static\/translations\/([a-z]+)\.(?:\w+\.)?js$/.exec(script)?.[1];
    if (language === undefined) return [];

    const css = files.find((file) => file.startsWith(`static/translations/${language}.`) && file.endsWith('.css'));
    const fonts = files.filter((file) => file.startsWith(`static/fonts-${language}/`));
    return [[language, { script, ...(css && { css, fonts }) }] as const];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

export function listLanguages(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && /^[a-z]{2,3}$/.test(entry.name)).map(({ name }) => name);
}

/** The catalogues of a language: `marketing/plans` is the file `marketing/plans.json` in the first folder that has it. */
export function listCatalogues(...folders: readonly string[]): { name: string; file: string }[] {
  const files = new Map(
    folders
      .filter((folder) => existsSync(folder))
      .toReversed()
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => [path, join(folder, path)] as const),
      ),
  );
  return [...files]
    .filter(([path]) => path.endsWith('.json'))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, file]) => ({ name: path.replaceAll('\\', '/').slice(0, -'.json'.length), file }));
}

function isPartOf(unit: Unit, catalogue: string): boolean {
  if (LAZY_CATALOGUES.includes(catalogue)) return false;
  return [unit, ...IN_EVERY_UNIT].some((one) => catalogue === one || catalogue.startsWith(`${one}/`));
}

/** Each unit of a page adds its texts to those that are there. */
function writeScript(locale: string, catalogues: readonly { name: string; file: string }[]): string {
  const texts = catalogues.map(({ name, file }) => [name, compileMessages(readFileSync(file, 'utf8'))]);
  return `globalThis.translations={locale:${JSON.stringify(locale)},texts:{...globalThis.translations?.texts,...${JSON.stringify(Object.fromEntries(texts))}}};\n`;
}
