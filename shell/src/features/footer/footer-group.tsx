import { Link } from '@app/platform';
import { useId } from 'react';
import css from './site-footer.module.css';

/** A page of the site, or a place elsewhere, which opens beside the site. */
type FooterLink = { label: string } & ({ to: string } | { href: string });

interface FooterGroupProps {
  heading: string;
  links: readonly FooterLink[];
  /** A small line of its own, for places outside the site. */
  isAside?: boolean;
}

export function FooterGroup({ heading, links, isAside = false }: FooterGroupProps) {
  const id = useId();

  return (
    <nav className={isAside ? css.aside : css.group} aria-labelledby={id}>
      <p className={css.heading} id={id}>
        {heading}
      </p>
      <ul className={css.links}>
        {links.map((link) => (
          <li key={link.label}>
            {'to' in link ? (
              <Link className={css.link} to={link.to}>
                {link.label}
              </Link>
            ) : (
              <a className={css.link} href={link.href} target="_blank" rel="noopener noreferrer">
                {link.label}
              </a>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}
