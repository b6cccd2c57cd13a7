import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

interface Manifest {
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  bin?: string | Record<string, string>;
}

/** Tests and configs of a workspace may also import the tools that the root declares. */
const SHARES_TOOLS = /\.test\.|\/test\/|\.config\.ts$/;
/** An app that is built beside packages of its own (docs/decisions/101-beside-a-static-export.md). */
const BUILT_ELSEWHERE = /\/scripts\/bench\/next-export\//;
const CODE = /\.(ts|tsx|mts|mjs|css)$/;
const CSS_IMPORT = /(?:@import|url\()\s*['"]([^'"]+)['"]/g;

/**
 * Compares what each package of the repository imports with what its package.json declares.
 * @param root folder of the repository; its own code is in `scripts`, `samples` and beside its package.json
 * @param workspaces folders of the other packages, relative to `root`
 * @returns a sentence for each package that is imported but not declared, or declared but not used
 */
export function findManifestProblems(root: string, workspaces: readonly string[]): string[] {
  const tools = declaredIn(root);
  const filesOf = new Map(workspaces.map((workspace) => [workspace, listCode(join(root, workspace))]));
  const ownFiles = [
    ...listCode(root, false),
    ...listCode(join(root, 'scripts')).filter((file) => !BUILT_ELSEWHERE.test(file)),
    ...listCode(join(root, 'samples')),
  ];
  const toolUsers = [...filesOf.values()].flat().filter((file) => SHARES_TOOLS.test(file));

  return [
    ...[...filesOf].flatMap(([workspace, files]) => {
      const declared = declaredIn(join(root, workspace));
      const used = importedBy(files);
      const unused = findUnused(root, `${workspace}/package.json`, declared, used);
      return [...findUndeclared(root, files, declared, tools), ...unused];
    }),
    ...findUndeclared(root, ownFiles, tools, new Set()),
    ...findUnused(root, 'package.json', tools, importedBy([...ownFiles, ...toolUsers])).filter(
      ([, name]) => !isNamedTool(root, name, ownFiles),
    ),
  ].map(([sentence]) => sentence);
}

type Problem = [sentence: string, name: string];

function findUndeclared(root: string, files: string[], declared: Set<string>, tools: Set<string>): Problem[] {
  return files.flatMap((file) =>
    [...importedBy([file])]
      .filter((name) => name !== 'node' && !declared.has(name) && !(SHARES_TOOLS.test(file) && tools.has(name)))
      .map((name): Problem => [
        `${relative(root, file)} imports ${name}, which its package.json does not declare`,
        name,
      ]),
  );
}

/** A package that another declared package names as its peer counts as used. */
function findUnused(root: string, manifest: string, declared: Set<string>, used: Set<string>): Problem[] {
  const installed = [...declared].map((name) => readInstalled(root, dirname(manifest), name));
  const peers = new Set(installed.flatMap(({ peerDependencies = {} }) => Object.keys(peerDependencies)));

  return [...declared]
    .filter((name) => !peers.has(name) && !used.has(name.replace('@types/', '')))
    .map((name) => [`${manifest} declares ${name}, which nothing there imports`, name]);
}

/** Whether a command or a script runs the tool. Types of the root serve all workspaces. */
function isNamedTool(root: string, name: string, files: readonly string[]): boolean {
  if (name.startsWith('@types/')) return true;

  const { bin = {} } = readManifest(join(root, 'node_modules', name));
  const words = [name, ...(typeof bin === 'string' ? [] : Object.keys(bin))];
  const texts = [
    ...Object.values(readManifest(root).scripts ?? {}),
    ...files.map((file) => readFileSync(file, 'utf8')),
  ];

  return texts.some((text) => words.some((word) => text.includes(word)));
}

/** The npm packages that files import; `node` stands for all modules of Node itself. */
function importedBy(files: readonly string[]): Set<string> {
  return new Set(
    files
      .flatMap((file) => {
        const text = readFileSync(file, 'utf8');
        if (file.endsWith('.css')) return [...text.matchAll(CSS_IMPORT)].map(([, specifier = '']) => specifier);

        return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
      })
      .filter((specifier) => !/^[./#]|^data:/.test(specifier))
      .map((specifier) => (isBuiltin(specifier) ? 'node' : packageOf(specifier))),
  );
}

/** `@app/platform/x` → `@app/platform`, `pg/lib/x` → `pg` */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function declaredIn(folder: string): Set<string> {
  const { dependencies, devDependencies, peerDependencies } = readManifest(folder);
  return new Set([dependencies, devDependencies, peerDependencies].flatMap((declared) => Object.keys(declared ?? {})));
}

function readManifest(folder: string): Manifest {
  const path = join(folder, 'package.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest) : {};
}

/**
 * Reads the package.json of an installed package. npm installs it in the workspace when the root has another version.
 */
function readInstalled(root: string, workspace: string, name: string): Manifest {
  const beside = join(root, workspace, 'node_modules', name);
  return readManifest(existsSync(beside) ? beside : join(root, 'node_modules', name));
}

function listCode(folder: string, isDeep = true): string[] {
  if (!existsSync(folder)) return [];

  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isDeep && entry.name !== 'node_modules' ? listCode(path) : [];

    return CODE.test(entry.name) ? [path] : [];
  });
}
