import type { Reseller } from '@app/contracts/resellers';
import { Badge } from '@app/design-system/badge';
import { buttonClass } from '@app/design-system/button';
import { lettersOf } from '@app/design-system/letters';
import { VisuallyHidden } from '@app/design-system/visually-hidden';
import { t } from './words.ts';
import css from './reseller-card.module.css';
import { ResellerMark } from './reseller-mark.tsx';

/** The card of a reseller: its name and description, and links to its chat and its shop. */
export function ResellerCard({ reseller }: { reseller: Reseller }) {
  const { name, logo, description, discord, buyLink, isArceusX, trusted } = reseller;

  return (
    <li className={css.card} data-official={isArceusX} data-letters={lettersOf(name + description)}>
      <div className={css.mark}>
        <ResellerMark logo={logo} name={name} />
      </div>
      <div className={css.words}>
        <div className={css.badge}>
          <Badge kind={isArceusX ? 'hot' : 'ok'}>{isArceusX ? t('resellers.official') : t('resellers.partner')}</Badge>
        </div>
        <h3>{name}</h3>
        <p className={css.text}>{description}</p>
        {typeof trusted === 'number' && <p className={css.trusted}>{t('resellers.trusted', { count: trusted })}</p>}
      </div>
      <div className={css.actions}>
        <a
          className={buttonClass(isArceusX ? {} : { kind: 'quiet' })}
          href={buyLink}
          target="_blank"
          rel="noopener noreferrer"
        >
          {t('resellers.start')} <VisuallyHidden>{name}</VisuallyHidden>
        </a>
        <a className={css.chat} href={discord} target="_blank" rel="noopener noreferrer">
          {t('resellers.discord')} <VisuallyHidden>{name}</VisuallyHidden>
        </a>
      </div>
    </li>
  );
}
