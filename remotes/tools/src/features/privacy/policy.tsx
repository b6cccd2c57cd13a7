import { COMPANION, PRODUCT } from '@app/contracts/brand';
import { Eyebrow } from '@app/design-system/eyebrow';
import texts from '@app/design-system/text.module.css';
import { t } from '../../words.ts';
import { HashedDevice } from './hashed-device.tsx';
import css from './policy.module.css';

export const SECTIONS = ['information', 'purpose', 'links', 'retention', 'scope'] as const;

/** What most visitors want to know; the texts below say it in full. */
export function PolicyFacts() {
  return (
    <ul className={css.facts}>
      {(['account', 'device', 'address', 'sold'] as const).map((fact) => (
        <li key={fact} className={css.fact}>
          {t(`policy.fact.${fact}`)}
        </li>
      ))}
    </ul>
  );
}

export function Policy() {
  return (
    <div className={css.policy}>
      {SECTIONS.map((id) => (
        <section key={id} id={id} className={css.section} aria-labelledby={`${id}-heading`}>
          <h2 id={`${id}-heading`} className={css.heading}>
            {t(`policy.${id}`)}
          </h2>
          <p className={css.text}>{t(`policy.${id}.text`, { app: PRODUCT.label, companion: COMPANION.label })}</p>
        </section>
      ))}
    </div>
  );
}

const ITEMS = ['device', 'zone', 'way', 'key', 'purchase', 'buyer', 'email', 'mail', 'address', 'speed'] as const;

const PERIODS = ['attempts', 'runs', 'keys', 'captcha', 'purchases', 'unpaid', 'links', 'speeds'] as const;

/** Lists what the server stores, and for how long. It came later than the policy, so it looks different. */
export function StoredHere() {
  return (
    <section id="stored" className={css.addendum} aria-labelledby="stored-heading">
      <div className={css.head}>
        <Eyebrow>{t('stored.eyebrow')}</Eyebrow>
        <h2 id="stored-heading" className={css.addendumHeading}>
          {t('stored.heading')}
        </h2>
      </div>
      <HashedDevice />
      <p className={texts.quiet}>{t('stored.lead')}</p>
      <dl className={css.items}>
        {ITEMS.map((item) => (
          <div key={item} className={css.item}>
            <dt className={css.name}>{t(`stored.${item}`)}</dt>
            <dd className={texts.quiet}>{t(`stored.${item}.text`)}</dd>
          </div>
        ))}
      </dl>
      <table className={css.periods}>
        <caption className={css.caption}>{t('stored.periods')}</caption>
        <tbody>
          {PERIODS.map((what) => (
            <tr key={what}>
              <th scope="row">{t(`stored.${what}`)}</th>
              <td>{t(`stored.${what}.period`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>{t('stored.sold')}</p>
    </section>
  );
}
