export type Paint = 'keyword' | 'call' | 'text' | 'number' | 'comment' | 'plain';

export interface PaintedPiece {
  paint: Paint;
  words: string;
}

export interface PaintedLine {
  /** The number of spaces before the code. */
  indent: number;
  pieces: readonly PaintedPiece[];
}

const PIECES =
  /(?<comment>--.*)|(?<text>"[^"]*")|(?<number>\b\d+\b)|(?<keyword>\b(?:local|function|if|then|end|while|do|return|true)\b)|(?<call>[A-Za-z_]\w*(?=\())|(?<plain>[A-Za-z_]\w*|\s+|.)/g;

/** Splits a line of a script into pieces of one colour each, for syntax highlighting. */
export function paintLine(line: string): PaintedLine {
  const code = line.trimStart();
  const pieces: PaintedPiece[] = [];

  for (const { groups = {}, 0: words } of code.matchAll(PIECES)) {
    const paint = paintOf(groups);
    const last = pieces.at(-1);

    if (last?.paint === paint) last.words += words;
    else pieces.push({ paint, words });
  }
  return { indent: line.length - code.length, pieces };
}

function paintOf(groups: Readonly<Record<string, string | undefined>>): Paint {
  const kinds: readonly Paint[] = ['comment', 'text', 'number', 'keyword', 'call'];
  return kinds.find((kind) => groups[kind] !== undefined) ?? 'plain';
}
