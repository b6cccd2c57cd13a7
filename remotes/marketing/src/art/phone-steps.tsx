import { lazyPart } from '@app/brand-ui/late';
import css from './phone-steps.module.css';
import type { PhoneName } from './phones.tsx';

const Phone = lazyPart(async () => (await import(/* webpackChunkName: "phones" */ './phones.tsx')).Phone);

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
          <span className={css.phone} data-needs-script>
            <Phone of={phone} />
          </span>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}
