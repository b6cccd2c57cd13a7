import css from './section-links.module.css';

export interface Section {
  id: string;
  label: string;
}

interface SectionLinksProps {
  sections: readonly Section[];
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
