import { AppMark } from '@app/brand-ui/app-mark';
import { SystemIcon } from '@app/brand-ui/system-icon';
import type { OperatingSystem } from '@app/contracts/key-system';
import { PAGES } from '@app/contracts/pages';
import { buttonClass } from '@app/design-system/button';
import { ChoiceCards } from '@app/design-system/choice-cards';
import { Icon } from '@app/design-system/icon';
import { Section } from '@app/design-system/section';
import texts from '@app/design-system/text.module.css';
import { useStatusRole } from '@app/design-system/use-status-role';
import { VisuallyHidden } from '@app/design-system/visually-hidden';
import { Link } from '@app/platform';
import { AnchorLink } from '../../anchor-link.tsx';
import { t } from '../../words.ts';
import css from './choose-app.module.css';

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
      <p className={`${texts.fact} ${css.social}`}>
        <Icon name={card.id === 'v3' ? 'download' : 'star'} size={18} />
        <span>
          <strong className={css.evidence}>{card.social.evidence}</strong> · <span>{card.social.label}</span>{' '}
          {card.id === 'v5' && <span>{t('choose.v5.since')}</span>}
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

/**
 * The chosen app: how one gets it, and the way there.
 * @param role status once a visitor has chosen, so that screen readers read it
 */
function ChosenApp({ card, role }: { card: ProductCard; role: 'status' | undefined }) {
  return (
    <div className={css.chosen} data-app={card.accent}>
      <div className={css.description} role={role}>
        <p className={css.title}>{t('choose.chosen', { app: card.title })}</p>
        {card.highlights.map((highlight) => (
          <p key={highlight} className={texts.quiet}>
            {highlight}
          </p>
        ))}
      </div>
      {card.id === 'v5' ? (
        <AnchorLink className={buttonClass({ kind: 'quiet' })} to="downloads">
          {t('choose.v5.get')}
        </AnchorLink>
      ) : (
        <Link className={buttonClass({ kind: 'quiet' })} to={`${card.opens}#downloads`}>
          {t(`choose.${card.id}.get`)}
        </Link>
      )}
    </div>
  );
}

export interface ProductCard {
  id: 'v5' | 'neo' | 'v3';
  title: string;
  sub: string;
  description: string;
  platforms: readonly Extract<OperatingSystem, 'windows' | 'android' | 'ios'>[];
  image: 'v5' | 'neo' | 'v3';
  badge: { text: string; kind: 'hot' | 'free' | 'disc' | 'latest' };
  accent: 'v5' | 'neo' | 'v3';
  highlights: readonly string[];
  social: { label: string; evidence: string };
  opens: string;
}

export function productCards(): readonly ProductCard[] {
  return [
    buildCard('v5', { platforms: ['android', 'ios'], kind: 'hot', opens: PAGES.v5 }),
    buildCard('neo', { platforms: ['android', 'ios'], kind: 'free', opens: PAGES.neo }),
    buildCard('v3', { platforms: ['android'], kind: 'disc', opens: PAGES.v3 }),
  ];
}

export const DEFAULT_CARD: ProductCard['id'] = 'v5';

function buildCard(
  id: ProductCard['id'],
  { platforms, kind, opens }: { kind: ProductCard['badge']['kind'] } & Pick<ProductCard, 'platforms' | 'opens'>,
): ProductCard {
  return {
    id,
    title: t(`choose.${id}.title`),
    sub: t(`choose.${id}.sub`),
    description: t(`choose.${id}.description`),
    platforms,
    image: id,
    badge: { text: t(`choose.${id}.badge`), kind },
    accent: id,
    highlights: [t(`choose.${id}.highlight`)],
    social: { label: t(`choose.${id}.social`), evidence: t(`choose.${id}.evidence`) },
    opens,
  };
}
