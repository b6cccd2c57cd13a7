import { SystemIcon } from '@app/brand-ui/system-icon';
import { Orbs } from '@app/design-system/orbs';
import texts from '@app/design-system/text.module.css';
import { type ReactNode, useEffect, useRef } from 'react';
import css from './hero.module.css';

interface HeroProps {
  app: 'v5' | 'neo' | 'v3';
  intro?: string;
  product: string;
  sub: string;
  tagline?: ReactNode;
  lead: string;
  device: ReactNode;
  actions: ReactNode;
  availability?: ReactNode;
  /** A quiet line for visitors who want something else. */
  aside?: ReactNode;
}

/** The first screen of a landing page: name, short text, main actions, and a drawing of the app. */
export function Hero({ app, intro, product, sub, tagline, lead, device, actions, availability, aside }: HeroProps) {
  const end = useReplay();

  return (
    <header className={css.hero} data-app={app}>
      <div className={css.inside}>
        <div className={css.content}>
          <h1 className={css.heading}>
            {intro && <span className={css.intro}>{intro} </span>}
            <span className={css.name}>
              {product} <span className={css.sub}>{sub}</span>
            </span>
          </h1>
          {tagline && <div className={css.tagline}>{tagline}</div>}
          <p className={texts.lead}>{lead}</p>
          <div className={css.actions}>{actions}</div>
          {(availability || aside) && (
            <div className={css.notes}>
              {availability && <p className={css.availability}>{availability}</p>}
              {aside && <p className={css.aside}>{aside}</p>}
            </div>
          )}
        </div>
        <div className={css.device}>
          {device}
          <span ref={end} />
        </div>
      </div>
      <Orbs />
      <div className={css.end} />
    </header>
  );
}

/**
 * The drawing plays once by its styles. It plays again at a tap on it, and when its end first comes into sight, unless it
 * was in sight from the start.
 * @returns for an element at the end of the drawing
 */
function useReplay() {
  const end = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    const drawing = end.current?.parentElement;
    if (!end.current || !drawing) return;

    const replay = () => drawing.getAnimations({ subtree: true }).forEach((one) => (one.currentTime = 0));
    let wasAway = false;
    const sight = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) {
          wasAway = true;
          return;
        }
        sight.disconnect();
        if (wasAway) replay();
      },
      { rootMargin: '0px 0px -60px' },
    );
    sight.observe(end.current);
    drawing.addEventListener('click', replay);
    return () => {
      sight.disconnect();
      drawing.removeEventListener('click', replay);
    };
  }, []);

  return end;
}

interface AvailableForProps {
  systems: readonly ('android' | 'ios')[];
  children: string;
}

export function AvailableFor({ systems, children }: AvailableForProps) {
  return (
    <>
      {systems.map((system) => (
        <span key={system} data-os={system}>
          <SystemIcon system={system} />
        </span>
      ))}
      <span>{children}</span>
    </>
  );
}
