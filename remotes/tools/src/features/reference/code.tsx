import { Fragment } from 'react';
import css from './code.module.css';
import { highlight, type Language } from './highlight.ts';

/** The coloured text of a program or an answer, for a `code` element. */
export function Code({ text, language }: { text: string; language: Language }) {
  return highlight(text, language).map((token, index) => (
    <span key={index} className={token.kind && css[token.kind]}>
      <BreakableText text={token.text} />
    </span>
  ));
}

/** A text whose addresses break after their separators, and not within a word. */
export function BreakableText({ text }: { text: string }) {
  return (text.match(/[^/?&]*[/?&]|[^/?&]+/g) ?? []).map((part, index) => (
    <Fragment key={index}>
      {part}
      {/[/?&]$/.test(part) && <wbr />}
    </Fragment>
  ));
}
