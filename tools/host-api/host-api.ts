import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** What the shell gives remotes: name → its declaration, so that a change of it shows. A custom property has none. */
export type HostApi = Record<string, string>;

const SHARED = fileURLToPath(new URL('../../shared', import.meta.url));
const PLATFORM = join(SHARED, 'platform/src');
/** The stylesheets of the shell whose custom properties remotes may read. */
const STYLESHEETS = ['design-system/src/tokens/tokens.css', 'brand-ui/src/colours.css'];

const printer = ts.createPrinter({ removeComments: true });

export function readGiven(): HostApi {
  const tokens = STYLESHEETS.flatMap((path) => readText(join(SHARED, path)).match(/--[\w-]+(?=:)/g) ?? []);
  const given = [...tokens.map((name): [string, string] => [name, '']), ...describeExports(join(PLATFORM, 'index.ts'))];
  return Object.fromEntries(given.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function describeExports(path: string): [string, string][] {
  return parse(path).statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || !statement.exportClause || !ts.isNamedExports(statement.exportClause))
      throw new Error(`${path} may only have statements like export { a, type B } from './c.ts'`);

    const from = specifierOf(statement);
    return statement.exportClause.elements.map(({ name, propertyName }): [string, string] => [
      `@app/platform ${name.text}`,
      describe((propertyName ?? name).text, join(PLATFORM, from)),
    ]);
  });
}

/** The declaration of a name in a file, with the types of the file that it refers to. */
function describe(name: string, path: string): string {
  const file = parse(path);
  const external = file.statements.find((statement) => ts.isExportDeclaration(statement));
  const declared = new Map(file.statements.flatMap((statement) => declarationsOf(statement, file)));
  const found = declared.get(name);
  if (found === undefined && external) return `of ${specifierOf(external)}`;
  if (found === undefined) throw new Error(`${path} has no declaration of ${name}`);

  const names = new Set([name]);
  for (const known of names)
    for (const word of declared.get(known)?.match(/\b[A-Z]\w*/g) ?? []) if (declared.has(word)) names.add(word);
  return [...names].map((each) => declared.get(each)).join('; ');
}

function declarationsOf(statement: ts.Statement, file: ts.SourceFile): [string, string][] {
  const print = (node: ts.Node) =>
    printer
      .printNode(ts.EmitHint.Unspecified, node, file)
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/^export |;$/g, '');

  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
    return [[statement.name.text, print(statement)]];
  if (ts.isFunctionDeclaration(statement) && statement.name)
    return [[statement.name.text, `function ${statement.name.text}${describeSignature(statement, print)}`]];
  if (ts.isClassDeclaration(statement) && statement.name) {
    const members = statement.members.map((member) => describeMember(member, print));
    return [[statement.name.text, `class ${statement.name.text} { ${members.join('; ')} }`]];
  }
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name, type, initializer }) => [
      print(name),
      `const ${print(name)}: ${type ? print(type) : describeMaker(initializer, print)}`,
    ]);
  return [];
}

type Print = (node: ts.Node) => string;

/** Names of parameters are of no importance to callers. */
function describeSignature(node: ts.SignatureDeclaration, print: Print): string {
  const generic = node.typeParameters ? `<${node.typeParameters.map(print).join(', ')}>` : '';
  const parameters = node.parameters.map(
    ({ type, dotDotDotToken, questionToken, initializer }) =>
      `${dotDotDotToken ? '...' : ''}${type ? print(type) : 'unknown'}${questionToken || initializer ? '?' : ''}`,
  );
  return `${generic}(${parameters.join(', ')})${node.type ? `: ${print(node.type)}` : ''}`;
}

function describeMember(member: ts.ClassElement, print: Print): string {
  if (ts.isConstructorDeclaration(member)) return `constructor${describeSignature(member, print)}`;
  const name = member.name ? print(member.name) : '';
  if (ts.isMethodDeclaration(member)) return `${name}${describeSignature(member, print)}`;
  return ts.isPropertyDeclaration(member) && member.type ? `${name}: ${print(member.type)}` : name;
}

/** Of a constant without a type, the function that makes it: `create<Store>()(…)` gives create<Store>. */
function describeMaker(value: ts.Expression | undefined, print: Print): string {
  if (!value || !ts.isCallExpression(value)) return value ? print(value) : '';
  if (ts.isCallExpression(value.expression)) return describeMaker(value.expression, print);
  return `${print(value.expression)}<${(value.typeArguments ?? []).map(print).join(', ')}>`;
}

function specifierOf({ moduleSpecifier }: ts.ExportDeclaration): string {
  return moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : '';
}

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readText(path), ts.ScriptTarget.Latest, true);
}

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

/** `shared/contracts/host-api.json`: what a version of the host API gives remotes. */
export interface HostApiList {
  version: string;
  gives: HostApi;
}

const VERSION_LOCATION = 'HOST_API_VERSION in shared/contracts/src/unit.ts';

/**
 * Finds changes of what the shell gives for which the version of the host API was not raised enough.
 * @param list what the list says of its version
 * @param now what the sources say
 * @returns a sentence for each change; none when the list may be written anew
 */
export function findListProblems({ version, gives }: HostApiList, now: HostApiList): string[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [newMajor = 0, newMinor = 0] = now.version.split('.').map(Number);
  const isMajorRaised = newMajor > major;
  const isMinorRaised = isMajorRaised || (newMajor === major && newMinor > minor);

  const removed = Object.keys(gives).filter((name) => !(name in now.gives));
  const changed = Object.keys(gives).filter((name) => name in now.gives && now.gives[name] !== gives[name]);
  const added = Object.keys(now.gives).filter((name) => !(name in gives));

  return [
    ...(isMajorRaised ? [] : removed.map((name) => `${name} is gone: set ${VERSION_LOCATION} to ${major + 1}.0`)),
    ...(isMinorRaised
      ? []
      : [
          ...changed.map(
            (name) =>
              `${name} is declared in another way: set ${VERSION_LOCATION} to ${major}.${minor + 1}, or to ${major + 1}.0 if what used it before breaks`,
          ),
          ...added.map((name) => `${name} is new: set ${VERSION_LOCATION} to ${major}.${minor + 1}`),
        ]),
  ];
}
