import css from './code.module.css';

/** Words of the language, texts, numbers, and names that are called, each in a group of its own. */
const TOKEN = /(\b(?:local|function|while|do|if|then|return|and|end)\b)|("[^"]*")|(\b\d[\d.]*)|(\w+(?=\())/g;
const KINDS = ['word', 'text', 'number', 'call'] as const;

/** Lines of a script, numbered and in colours. */
export function Code({ lines, isTyped = false }: { lines: readonly string[]; isTyped?: boolean }) {
  return (
    <ol className={css.code} data-typed={isTyped}>
      {lines.map((line) => (
        <li key={line}>
          <span className={css.line}>{colour(line)}</span>
        </li>
      ))}
    </ol>
  );
}

function colour(line: string) {
  // Between two matches `split` gives each group, undefined where it has not matched.
  return line.split(TOKEN).map((part, at) => {
    const kind = KINDS[(at % (KINDS.length + 1)) - 1];
    if (!kind) return part;
    return (
      part && (
        <span key={at} className={css[kind]}>
          {part}
        </span>
      )
    );
  });
}
