import { useId, useRef, useState, type ReactNode } from 'react';
import css from './tabs.module.css';

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly { id: Id; label: ReactNode; panel: ReactNode }[];
  /** The open tab. Without it, the tabs keep their own state and start with the first. */
  selected?: Id;
  onSelect?: (id: Id) => void;
}

/** Tabs and their panels; one panel is shown. Arrow keys open the next and the previous tab. */
export function Tabs<Id extends string>({ label, tabs, selected, onSelect }: TabsProps<Id>) {
  const [own, setOwn] = useState(tabs[0]?.id);
  const row = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const open = selected ?? own;
  const openIndex = tabs.findIndex(({ id }) => id === open);

  function select(index: number) {
    const tab = tabs[index];
    if (!tab) return;

    setOwn(tab.id);
    onSelect?.(tab.id);
  }

  return (
    <div className={css.tabs}>
      <div
        ref={row}
        role="tablist"
        aria-label={label}
        className={css.row}
        onKeyDown={(event) => {
          const next = indexAfterKey(event.key, openIndex, tabs.length);
          if (next === undefined) return;

          event.preventDefault();
          select(next);
          row.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
        }}
      >
        {tabs.map((tab, index) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${prefix}-tab-${tab.id}`}
            aria-controls={`${prefix}-panel-${tab.id}`}
            aria-selected={tab.id === open}
            tabIndex={tab.id === open ? 0 : -1}
            className={css.tab}
            onClick={() => select(index)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.id}
          role="tabpanel"
          id={`${prefix}-panel-${tab.id}`}
          aria-labelledby={`${prefix}-tab-${tab.id}`}
          hidden={tab.id !== open}
          tabIndex={0}
          className={css.panel}
        >
          {tab.panel}
        </div>
      ))}
    </div>
  );
}

/**
 * Which of `count` items an arrow key, Home or End leads to. After the last item comes the first.
 * @returns undefined for other keys
 */
export function indexAfterKey(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (index + 1) % count;
    case 'ArrowLeft':
      return (index - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
