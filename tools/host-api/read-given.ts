import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** What the shell gives remotes: name → its declaration, so that a change of it shows. A custom property has none. */
export type Given = Record<string, string>;

const SHARED = fileURLToPath(new URL('../../shared', import.meta.url));
const PLATFORM = join(SHARED, 'platform/src');
/** The stylesheets of the shell whose custom properties remotes may read. */
const STYLESHEETS = ['design-system/src/tokens/tokens.css', 'brand-ui/src/colours.css'];

const printer = ts.createPrinter({ removeComments: true });

/** Reads what the shell gives remotes from the sources of platform and of the design tokens. */
export function readGiven(): Given {
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
