import { Eyebrow } from '@app/design-system/eyebrow';
import { t } from '../../words.ts';
import css from './stored-here.module.css';

const ITEMS = [
  { name: 'stored.device', text: 'stored.device.text' },
  { name: 'stored.zone', text: 'stored.zone.text' },
  { name: 'stored.way', text: 'stored.way.text' },
  { name: 'stored.key', text: 'stored.key.text' },
  { name: 'stored.purchase', text: 'stored.purchase.text' },
  { name: 'stored.buyer', text: 'stored.buyer.text' },
  { name: 'stored.email', text: 'stored.email.text' },
  { name: 'stored.mail', text: 'stored.mail.text' },
  { name: 'stored.address', text: 'stored.address.text' },
  { name: 'stored.speed', text: 'stored.speed.text' },
] as const;

const PERIODS = [
  { what: 'stored.attempts', period: 'stored.attempts.period' },
  { what: 'stored.runs', period: 'stored.runs.period' },
  { what: 'stored.keys', period: 'stored.keys.period' },
  { what: 'stored.captcha', period: 'stored.captcha.period' },
  { what: 'stored.purchases', period: 'stored.purchases.period' },
  { what: 'stored.unpaid', period: 'stored.unpaid.period' },
  { what: 'stored.links', period: 'stored.links.period' },
  { what: 'stored.speeds', period: 'stored.speeds.period' },
] as const;

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
        {ITEMS.map(({ name, text }) => (
          <div key={name} className={css.item}>
            <dt className={css.name}>{t(name)}</dt>
            <dd className={css.quiet}>{t(text)}</dd>
          </div>
        ))}
      </dl>
      <table className={css.periods}>
        <caption className={css.caption}>{t('stored.periods')}</caption>
        <tbody>
          {PERIODS.map(({ what, period }) => (
            <tr key={what}>
              <th scope="row">{t(what)}</th>
              <td>{t(period)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>{t('stored.sold')}</p>
    </section>
  );
}
