import { late } from '@app/brand-ui/late';
import css from './art.module.css';
import type { ViewName } from './drawings.tsx';
import type { PhoneName } from './phones.tsx';

const drawings = () => import(/* webpackChunkName: "drawings" */ './drawings.tsx');
const AppCloseUp = late(async () => (await drawings()).AppCloseUp);

const Phone = late(async () => (await import(/* webpackChunkName: "phones" */ './phones.tsx')).Phone);

export const Hoodie = late(async () => (await drawings()).Hoodie);
export const Still = late(async () => (await drawings()).Still);

/** A close look at a part of an app. Its parent reserves the space, because it comes after the first paint. */
export function Art({ of }: { of: ViewName }) {
  return (
    <div className={css.art}>
      <AppCloseUp of={of} />
    </div>
  );
}

interface PhoneStepsProps {
  steps: readonly { phone: PhoneName; text: string }[];
  /** In a wide window each text is beside its phone. */
  isWide?: boolean;
}

/** What to do on the phone, with a picture of each step. */
export function PhoneSteps({ steps, isWide = false }: PhoneStepsProps) {
  return (
    <ol className={css.steps} data-wide={isWide}>
      {steps.map(({ phone, text }) => (
        <li key={phone} className={css.step}>
          <span className={css.phone}>
            <Phone of={phone} />
          </span>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}
