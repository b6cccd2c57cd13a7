import { useId, useState, type ReactNode } from 'react';
import { afterToggle } from './disclosure-state.ts';
import css from './disclosure.module.css';
import { Icon } from './icon.tsx';

interface DisclosureListProps {
  items: readonly { id: string; title: string; content: ReactNode }[];
}

/**
 * Questions that unfold: one open at a time, and a click on the open one closes it.
 * The browser's own element, so it is found by search in the page; the state serves browsers that do not know its `name`.
 */
export function DisclosureList({ items }: DisclosureListProps) {
  const name = useId();
  const [open, setOpen] = useState<string>();

  return (
    <div className={css.list}>
      {items.map(({ id, title, content }) => (
        <details
          key={id}
          name={name}
          className={css.item}
          open={open === id}
          onToggle={({ currentTarget }) => {
            const isOpen = currentTarget.open;
            setOpen((current) => afterToggle(current, id, isOpen));
          }}
        >
          <summary className={css.title}>
            <h3 className={css.words}>{title}</h3>
            <span className={css.sign} aria-hidden="true">
              <Icon name="chevron" />
            </span>
          </summary>
          <div className={css.content}>{content}</div>
        </details>
      ))}
    </div>
  );
}
