type Kind = 'comment' | 'string' | 'key' | 'number' | 'keyword' | 'call';

interface Grammar {
  comment: string;
  string: string;
  keywords: ReadonlySet<string>;
}

/** A piece of code. Pieces without a kind are in the colour of the text. */
export interface Token {
  kind?: Kind;
  text: string;
}

const QUOTED = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/.source;
const BACKTICKS = /`(?:\\.|[^`\\])*`/.source;
const MATCHES_NOTHING = '(?!)';
/** Many languages have those of C. */
const C_COMMENT = /\/\*[^]*?\*\/|\/\/.*/.source;

const words = (text: string) => new Set(text.split(' '));

const GRAMMARS = {
  json: { comment: MATCHES_NOTHING, string: QUOTED, keywords: words('true false null') },
  curl: { comment: MATCHES_NOTHING, string: QUOTED, keywords: words('curl') },
  typescript: {
    comment: C_COMMENT,
    string: `${QUOTED}|${BACKTICKS}`,
    keywords: words(
      'as async await catch class const continue else export extends false for from function if import in interface let ' +
        'new null of readonly return super this throw true try type typeof undefined',
    ),
  },
  python: {
    comment: '#.*',
    string: `"""[^]*?"""|${QUOTED}`,
    keywords: words(
      'and as class def elif else except False finally for from if import in is None not or raise return True try while with',
    ),
  },
  lua: {
    comment: /--\[\[[^]*?\]\]|--.*/.source,
    string: QUOTED,
    keywords: words('and do else elseif end false for function if in local nil not or return then true while'),
  },
  kotlin: {
    comment: C_COMMENT,
    string: QUOTED,
    keywords: words(
      'as catch class const else false finally for fun if import in internal is null object package private return set ' +
        'throw true try val var when while',
    ),
  },
  java: {
    comment: C_COMMENT,
    string: QUOTED,
    keywords: words(
      'boolean byte case catch char class default double else extends false final finally for if import instanceof int ' +
        'long new null private public record return static super switch this throw throws true try void while',
    ),
  },
  go: {
    comment: C_COMMENT,
    string: `${QUOTED}|${BACKTICKS}`,
    keywords: words(
      'any bool byte case const default defer else false float64 for func if import int map nil package range return ' +
        'string struct switch true type var',
    ),
  },
} satisfies Record<string, Grammar>;

export type Language = keyof typeof GRAMMARS;

/** It knows just enough for our own samples; the grammars of a highlighter weigh more than all of them. */
export function highlight(code: string, language: Language): Token[] {
  const { comment, string, keywords } = GRAMMARS[language];
  // The oldest Safari has no lookbehind, so a name takes the mark before it along: `.type` is no keyword.
  const pattern = new RegExp(
    `(${comment})|("\\w+"(?=\\s*:))|(${string})|([.#]?[A-Za-z_]\\w*)(\\(|\\??:)?|(\\d[\\d.]*)`,
    'g',
  );

  const tokens: Token[] = [];
  const add = (text: string, kind?: Kind) => {
    const last = tokens.at(-1);
    if (last && last.kind === kind) last.text += text;
    else if (text) tokens.push(kind ? { kind, text } : { text });
  };

  let end = 0;
  for (const match of code.matchAll(pattern)) {
    const [all, remark, key, quoted, name, after = '', number] = match;
    add(code.slice(end, match.index));
    end = match.index + all.length;
    if (remark) add(remark, 'comment');
    else if (key) add(key, 'key');
    else if (quoted) add(quoted, 'string');
    else if (number) add(number, 'number');
    else if (name) {
      const isMember = language === 'typescript' && after.endsWith(':');
      const kind = keywords.has(name) && !isMember ? 'keyword' : after === '(' ? 'call' : undefined;
      add(name, kind);
      add(after);
    }
  }
  add(code.slice(end));
  return tokens;
}
