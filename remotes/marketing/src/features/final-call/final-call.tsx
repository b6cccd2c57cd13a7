import css from './final-call.module.css';

/** The last section of a landing page. The page's sticky action follows it. */
export function FinalCall({ heading, text }: { heading: string; text: string }) {
  return (
    <section className={css.call} aria-labelledby="final-heading">
      <h2 id="final-heading">{heading}</h2>
      <p className={css.text}>{text}</p>
    </section>
  );
}
