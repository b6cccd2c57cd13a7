import css from './code.module.css';
import { highlight, type Language } from './highlight.ts';

/** The coloured text of a program or an answer, for a `code` element. */
export function Code({ text, language }: { text: string; language: Language }) {
  return highlight(text, language).map((token, index) =>
    token.kind ? (
      <span key={index} className={css[token.kind]}>
        {token.text}
      </span>
    ) : (
      <span key={index}>{token.text}</span>
    ),
  );
}
