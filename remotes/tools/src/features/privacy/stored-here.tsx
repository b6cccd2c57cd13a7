import { Eyebrow } from '@app/design-system/eyebrow';
import { t } from '../../words.ts';
import css from './stored-here.module.css';

const ITEMS = ['device', 'zone', 'way', 'key', 'purchase', 'buyer', 'email', 'mail', 'address', 'speed'] as const;

const PERIODS = ['attempts', 'runs', 'keys', 'captcha', 'purchases', 'unpaid', 'links', 'speeds'] as const;

/** Lists what the server stores, and for how long. It is not part of the policy, so it looks different. */
export function StoredHere() {
  return (
    <section id="stored" className={css.addendum} aria-labelledby="stored-heading">
      <div className={css.head}>
        <Eyebrow>{t('stored.eyebrow')}</Eyebrow>
        <h2 id="stored-heading" className={css.heading}>
          {t('stored.heading')}
        </h2>
      </div>
      <p className={css.quiet}>{t('stored.lead')}</p>
      <dl className={css.items}>
        {ITEMS.map((item) => (
          <div key={item} className={css.item}>
            <dt className={css.name}>{t(`stored.${item}`)}</dt>
            <dd className={css.quiet}>{t(`stored.${item}.text`)}</dd>
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
