import { AppMark } from '@app/brand-ui/app-mark';
import { SystemIcon } from '@app/brand-ui/system-icon';
import { buttonClass } from '@app/design-system/button';
import { ChoiceCards } from '@app/design-system/choice-cards';
import { Icon } from '@app/design-system/icon';
import { Section } from '@app/design-system/section';
import { useStatusRole } from '@app/design-system/use-status-role';
import { VisuallyHidden } from '@app/design-system/visually-hidden';
import { Link } from '@app/platform';
import { t } from '../../words.ts';
import css from './choose-app.module.css';
import { ChosenApp } from './chosen-app.tsx';
import { productCards, type ProductCard } from './product-cards.ts';

interface ChooseAppProps {
  chosen: ProductCard['id'];
  onChoose: (app: ProductCard['id']) => void;
  /** Whether there is a build of V5 for iOS. Until there is one, its card says that it is coming. */
  isV5OnIos: boolean;
}

/** The cards of the three apps. The visitor chooses one, and sees it below; each card also links to its page. */
export function ChooseApp({ chosen, onChoose, isV5OnIos }: ChooseAppProps) {
  const cards = productCards();
  const role = useStatusRole(chosen);

  return (
    <Section id="choose" heading={t('choose.heading')}>
      <ChoiceCards
        label={t('choose.heading')}
        value={chosen}
        onChange={onChoose}
        choices={cards.map((card) => ({
          value: card.id,
          title: `${card.title} · ${card.sub}`,
          badge: card.badge,
          art: <AppMark app={card.image} />,
          data: { 'data-app': card.accent },
          children: <CardText card={card} />,
          action: <CardFoot card={card} isComing={card.id === 'v5' && !isV5OnIos} />,
        }))}
      />
      {cards
        .filter(({ id }) => id === chosen)
        .map((card) => (
          <ChosenApp key={card.id} card={card} role={role} />
        ))}
    </Section>
  );
}

function CardText({ card }: { card: ProductCard }) {
  return (
    <>
      <p>{card.description}</p>
      <p className={css.social}>
        <Icon name="star" size={18} />
        <span>
          <strong className={css.evidence}>{card.social.evidence}</strong> · {card.social.label}
        </span>
      </p>
    </>
  );
}

function CardFoot({ card, isComing }: { card: ProductCard; isComing: boolean }) {
  return (
    <div className={css.foot}>
      <Link className={buttonClass({ kind: 'quiet' })} to={card.opens}>
        {t('action.learnMore')} <VisuallyHidden>{t('choose.about', { app: card.title })}</VisuallyHidden>
      </Link>
      <ul className={css.platforms} aria-label={t('choose.runsOn')}>
        {card.platforms.map((platform) => (
          <li key={platform} className={css.platform}>
            <SystemIcon system={platform} size={18} />
            <span>{platform === 'ios' && isComing ? t('choose.iosComing') : t(`platform.${platform}`)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
