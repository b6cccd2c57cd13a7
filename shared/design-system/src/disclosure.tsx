import { useId, useState, type ReactNode } from 'react';
import { afterToggle } from './disclosure-state.ts';
import css from './disclosure.module.css';
import { Icon } from './icon.tsx';

interface DisclosureListProps {
  items: readonly { id: string; title: string; content: ReactNode }[];
}

/**
 * Questions with answers that open and close, one at a time.
 * It is the element `details`, so the browser's search finds closed answers. The state is for browsers that do not
 * know its attribute `name`.
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
