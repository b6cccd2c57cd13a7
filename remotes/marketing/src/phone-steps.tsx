import { PhoneArt, type PhoneArtName } from './phone-art.tsx';
import css from './phone-steps.module.css';

interface PhoneStepsProps {
  heading: string;
  steps: readonly { art: PhoneArtName; text: string }[];
}

/** What to do on the phone, with a picture of each step. */
export function PhoneSteps({ heading, steps }: PhoneStepsProps) {
  return (
    <>
      <h2 className={css.heading}>{heading}</h2>
      <ol className={css.steps}>
        {steps.map(({ art, text }) => (
          <li key={art} className={css.step}>
            <span className={css.art}>
              <PhoneArt of={art} />
            </span>
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
