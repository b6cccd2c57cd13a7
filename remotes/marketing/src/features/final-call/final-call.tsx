import css from './final-call.module.css';

/** The last words before the page's one action, which sticks to a phone's edge and ends up right under them. */
export function FinalCall({ heading, text }: { heading: string; text: string }) {
  return (
    <section className={css.call} aria-labelledby="final-heading">
      <h2 id="final-heading">{heading}</h2>
      <p className={css.text}>{text}</p>
    </section>
  );
}
