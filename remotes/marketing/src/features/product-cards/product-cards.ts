import { PAGES } from '@app/contracts/pages';
import type { OperatingSystem } from '@app/contracts/key-system';
import { t } from '../../words.ts';

export interface ProductCard {
  id: 'v5' | 'neo' | 'v3';
  title: string;
  sub: string;
  description: string;
  platforms: readonly Extract<OperatingSystem, 'windows' | 'android' | 'ios'>[];
  /** The app whose logo the card shows. */
  image: 'v5' | 'neo' | 'v3';
  badge: { text: string; kind: 'hot' | 'free' | 'disc' | 'latest' };
  /** The app whose colours the card has. */
  accent: 'v5' | 'neo' | 'v3';
  highlights: readonly string[];
  social: { label: string; evidence: string };
  /** The page that its button opens. */
  opens: string;
}

export function productCards(): readonly ProductCard[] {
  return [
    buildCard('v5', { platforms: ['android', 'ios'], kind: 'hot', opens: PAGES.v5 }),
    buildCard('neo', { platforms: ['android', 'ios'], kind: 'free', opens: PAGES.neo }),
    buildCard('v3', { platforms: ['android'], kind: 'disc', opens: PAGES.v3 }),
  ];
}

/** The card that is chosen at first. */
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
