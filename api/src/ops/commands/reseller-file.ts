import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
import { type ListedReseller, listedResellerSchema } from '#api/product/resellers/change-resellers.ts';
import { describeIssue } from '#api/foundation/settings/read-json.ts';
import { OpsError } from '#api/ops/command.ts';
import { codeOf } from '#api/foundation/settings/errors.ts';

export function writeResellers(list: readonly ListedReseller[]): string {
  return JSON.stringify(list, null, 2);
}

export function saveNewFile(path: string, text: string): void {
  try {
    writeFileSync(path, `${text}\n`, { flag: 'wx' });
  } catch (error) {
    const why = codeOf(error) === 'EEXIST' ? 'is there already' : 'cannot be written';
    throw new OpsError(`${path} ${why}; nothing was written.`, { cause: error });
  }
}

/**
 * Reads a file with the list of resellers.
 * @throws OpsError that names each wrong member and its line
 */
export function loadResellers(path: string): ListedReseller[] {
  const refuse = (wrong: readonly string[]) =>
    new OpsError([`${path} is not taken; nothing was changed.`, ...wrong].join('\n'));
  const json = locate(path, refuse);
  const result = v.safeParse(v.array(listedResellerSchema), json.value);
  const wrong = result.success
    ? findDuplicates(json, result.output)
    : result.issues.map((issue) => describeWrong(json, issue));
  if (!result.success || wrong.length > 0) throw refuse(wrong);

  return result.output;
}

function locate(path: string, refuse: (wrong: readonly string[]) => OpsError): LocatedJson {
  try {
    return parseLocatedJson(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw refuse([error.message]);
    throw new OpsError(`${path} cannot be read; nothing was changed.`, { cause: error });
  }
}

function describeWrong({ lineOf }: LocatedJson, issue: v.BaseIssue<unknown>): string {
  const path = (issue.path ?? []).map(({ key }) => key as string | number);
  const member = path.length > 1 ? String(path.at(-1)) : path.length > 0 ? 'the reseller' : 'the file';
  return `line ${lineOf(path)}: ${member} ${describeIssue(issue)}`;
}

function findDuplicates({ lineOf }: LocatedJson, list: readonly ListedReseller[]): string[] {
  return list.flatMap(({ id }, index) =>
    list.findIndex((other) => other.id === id) < index
      ? [`line ${lineOf([index, 'id'])}: id ${id} is used before`]
      : [],
  );
}

/** A JSON text, and the lines on which its values begin. */
export interface LocatedJson {
  value: unknown;
  /**
   * The line of a value, from 1; of a missing one, the line of what should hold it.
   * @param path the names and indexes that lead to it
   */
  lineOf: (path: readonly (string | number)[]) => number;
}

const WHITESPACE_PATTERN = /[ \t\r\n]*/y;
const STRING_PATTERN = /"(?:[^"\\\n\r]|\\.)*"/y;
const LITERAL_PATTERN = /[^\s{}[\],:"]+/y;

/**
 * Reads JSON like `JSON.parse`, which does not say where a value stands.
 * @throws SyntaxError with the line; a member that is named twice is refused as well
 */
export function parseLocatedJson(text: string): LocatedJson {
  const lines = new Map<string, number>();
  let position = 0;

  const lineAt = (at: number) => text.slice(0, at).split('\n').length;
  const fail = (what: string): never => {
    throw new SyntaxError(`line ${lineAt(position)}: ${what}`);
  };
  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = position;
    const found = pattern.exec(text)?.[0];
    position += found?.length ?? 0;
    return found;
  }
  function takeSign(sign: string): boolean {
    take(WHITESPACE_PATTERN);
    const isThere = text.startsWith(sign, position);
    if (isThere) position += sign.length;
    return isThere;
  }

  function readValue(path: string): unknown {
    take(WHITESPACE_PATTERN);
    lines.set(path, lineAt(position));
    if (takeSign('{')) {
      const members = new Map<string, unknown>();
      readUntil('}', () => {
        take(WHITESPACE_PATTERN);
        const name = String(readPlain(take(STRING_PATTERN) ?? fail('a name in quotes is missing')));
        if (members.has(name)) fail(`${name} is named twice`);
        if (!takeSign(':')) fail(`a colon is missing after ${name}`);
        members.set(name, readValue(join(path, name)));
      });
      return Object.fromEntries(members);
    }
    if (takeSign('[')) {
      const entries: unknown[] = [];
      readUntil(']', () => entries.push(readValue(join(path, entries.length))));
      return entries;
    }
    return readPlain(take(STRING_PATTERN) ?? take(LITERAL_PATTERN));
  }
  function readUntil(end: string, readOne: () => void): void {
    if (takeSign(end)) return;
    do readOne();
    while (takeSign(','));
    if (!takeSign(end)) fail(`a comma or ${end} is missing`);
  }
  function readPlain(word: string | undefined): unknown {
    try {
      return JSON.parse(word ?? '') as unknown;
    } catch {
      return fail(`${word ?? (text.charAt(position) || 'the end')} is not JSON`);
    }
  }

  const value = readValue('');
  take(WHITESPACE_PATTERN);
  if (position < text.length) fail('nothing may follow here');
  return {
    value,
    lineOf(path) {
      const known = path.map((_, depth) => lines.get(path.slice(0, depth + 1).reduce<string>(join, '')));
      return known.findLast((line) => line !== undefined) ?? lines.get('') ?? 1;
    },
  };
}

function join(path: string, step: string | number): string {
  return `${path}/${JSON.stringify(step)}`;
}
