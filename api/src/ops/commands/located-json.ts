/** A JSON text, and the lines on which its values begin. */
export interface LocatedJson {
  value: unknown;
  /**
   * The line of a value, from 1; of a missing one, the line of what should hold it.
   * @param path the names and indexes that lead to it
   */
  lineOf: (path: readonly (string | number)[]) => number;
}

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\n\r]|\\.)*"/y;
const BARE = /[^\s{}[\],:"]+/y;

/**
 * Reads JSON like `JSON.parse`, which does not say where a value stands.
 * @throws SyntaxError with the line; a member that is named twice is refused as well
 */
export function parseLocatedJson(text: string): LocatedJson {
  const lines = new Map<string, number>();
  let position = 0;

  const lineAt = (at: number) => text.slice(0, at).split('\n').length;
  const fail = (what: string): never => {
    throw new SyntaxError(`line ${String(lineAt(position))}: ${what}`);
  };
  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = position;
    const found = pattern.exec(text)?.[0];
    position += found?.length ?? 0;
    return found;
  }
  function takeSign(sign: string): boolean {
    take(SPACE);
    const isThere = text.startsWith(sign, position);
    if (isThere) position += sign.length;
    return isThere;
  }

  function readValue(path: string): unknown {
    take(SPACE);
    lines.set(path, lineAt(position));
    if (takeSign('{')) return readObject(path);
    if (takeSign('[')) return readList(path);
    return readPlain(take(STRING) ?? take(BARE));
  }
  function readPlain(word: string | undefined): unknown {
    try {
      return JSON.parse(word ?? '') as unknown;
    } catch {
      return fail(`${word ?? (text.charAt(position) || 'the end')} is not JSON`);
    }
  }
  function readObject(path: string): unknown {
    const members = new Map<string, unknown>();
    if (takeSign('}')) return {};
    do {
      take(SPACE);
      const name = String(readPlain(take(STRING) ?? fail('a name in quotes is missing')));
      if (members.has(name)) fail(`${name} is named twice`);
      if (!takeSign(':')) fail(`a colon is missing after ${name}`);
      members.set(name, readValue(join(path, name)));
    } while (takeSign(','));
    if (!takeSign('}')) fail('a comma or } is missing');
    return Object.fromEntries(members);
  }
  function readList(path: string): unknown[] {
    const entries: unknown[] = [];
    if (takeSign(']')) return entries;
    do entries.push(readValue(join(path, entries.length)));
    while (takeSign(','));
    if (!takeSign(']')) fail('a comma or ] is missing');
    return entries;
  }

  const value = readValue('');
  take(SPACE);
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
