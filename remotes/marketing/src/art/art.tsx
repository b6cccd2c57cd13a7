import { lazyPart } from '@app/brand-ui/late';
import css from './art.module.css';
import type { ViewName } from './drawings.tsx';

const drawings = () => import(/* webpackChunkName: "drawings" */ './drawings.tsx');
const AppCloseUp = lazyPart(async () => (await drawings()).AppCloseUp);

export const Hoodie = lazyPart(async () => (await drawings()).Hoodie);
export const Still = lazyPart(async () => (await drawings()).Still);

/** A close look at a part of an app. Its parent reserves the space, because it comes after the first paint. */
export function Art({ of }: { of: ViewName }) {
  return (
    <div className={css.art}>
      <AppCloseUp of={of} />
    </div>
  );
}
