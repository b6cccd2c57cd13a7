import { Eyebrow } from '@app/design-system/eyebrow';
import type { ReactNode } from 'react';
import css from './promo.module.css';

interface PromoProps {
  id: string;
  app: 'v5' | 'neo' | 'v3';
  eyebrow: string;
  heading: string;
  children: ReactNode;
  action: ReactNode;
  art: ReactNode;
  /** The drawing still says enough beside the text on a phone. */
  isArtSmall?: boolean;
}

/** A section that promotes something other than the page's app: text, link and drawing. */
export function Promo({ id, app, eyebrow, heading, children, action, art, isArtSmall = false }: PromoProps) {
  return (
    <section
      id={id}
      className={css.promo}
      aria-labelledby={`${id}-heading`}
      data-app={app}
      data-art={isArtSmall ? 'small' : 'wide'}
    >
      <div className={css.content}>
        <Eyebrow>{eyebrow}</Eyebrow>
        <h2 id={`${id}-heading`}>{heading}</h2>
        <p className={css.text}>{children}</p>
        {action}
      </div>
      <div className={css.art}>{art}</div>
    </section>
  );
}
