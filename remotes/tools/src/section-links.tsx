import css from './contents.module.css';

export interface Section {
  /** Of the element that links lead to. */
  id: string;
  label: string;
}

export interface ContentsProps {
  sections: readonly Section[];
  /** The label of the list, and of what opens and closes it. Each catalogue has its own, because the other is not loaded. */
  words: Readonly<Record<'label' | 'open' | 'close', string>>;
}

interface SectionLinksProps extends Pick<ContentsProps, 'sections'> {
  current?: string | undefined;
  onFollow?: () => void;
}

export function SectionLinks({ sections, current, onFollow }: SectionLinksProps) {
  return (
    <ol>
      {sections.map(({ id, label }) => (
        <li key={id}>
          <a
            className={css.link}
            href={`#${id}`}
            {...(id === current && { 'aria-current': 'location' })}
            onClick={onFollow}
          >
            {label}
          </a>
        </li>
      ))}
    </ol>
  );
}
