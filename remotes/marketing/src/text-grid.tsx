import css from './text-grid.module.css';

/** Short texts with a heading each, for what needs no picture. */
export function TextGrid({ items }: { items: readonly { title: string; text: string }[] }) {
  return (
    <ul className={css.grid}>
      {items.map(({ title, text }) => (
        <li key={title} className={css.item}>
          <h3>{title}</h3>
          <p className={css.text}>{text}</p>
        </li>
      ))}
    </ul>
  );
}
