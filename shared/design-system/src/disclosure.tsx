import { useId, useState, type ReactNode } from 'react';
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
            <h3 className={css.question}>{title}</h3>
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

/**
 * Which item is open after one was toggled. The browser reports toggles late and in any order: when another item
 * closes, the one that has opened in the meantime stays open.
 */
export function afterToggle(current: string | undefined, id: string, isOpen: boolean): string | undefined {
  if (isOpen) return id;

  return current === id ? undefined : current;
}
